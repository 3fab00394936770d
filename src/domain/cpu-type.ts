const ARM_CPU = /^(cortex-|neoverse-|a64fx$)/i;
const ANY_CPU = /^(host|max)$/i;

/** Whether a Proxmox CPU type can run an image of this architecture. A custom model says what it is by its name, if at all. */
export function suitsArch(cpuType: string, arch: string): boolean {
  const name = cpuType.replace(/^custom-/, "");
  if (ANY_CPU.test(name)) return true;
  const isX86 = name === cpuType ? !ARM_CPU.test(name) : /x86|amd64/i.test(name);
  const isArm = ARM_CPU.test(name);
  return arch === "arm64" ? !isX86 : !isArm;
}
