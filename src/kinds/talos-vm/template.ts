/** Digits alone are a VMID; everything else is a name. */
export function isVmid(template: string): boolean {
  return /^[0-9]+$/.test(template);
}
