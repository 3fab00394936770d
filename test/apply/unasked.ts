/** What the provider says of every VM without being asked. */
export const unasked = {
  acpi: "1",
  balloon: "0",
  keyboard: "en-us",
  numa: "0",
  protection: "0",
  sockets: "1",
  tablet: "1",
  template: "0",
};
