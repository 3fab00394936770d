import type { Property } from "./schema.ts";

/** Formats that several endpoints share. */
const label = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?";
const dnsName = new RegExp(`^${label}(?:\\.${label})*$`);
const idPattern = /^[a-z][a-z0-9_-]+$/i;

const says = (pattern: RegExp, complaint: string) => (value: string) =>
  pattern.test(value) ? undefined : `${complaint}\n`;

export const optional = (property: Property): Property => ({ ...property, isOptional: true });

export const text: Property = {};
export const flag: Property = { type: "boolean" };
export const natural: Property = { type: "integer", minimum: 0 };
export const vmid: Property = { type: "integer", minimum: 100, maximum: 999999999 };

export const nodeName: Property = {
  format: says(/^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?$/, "value does not look like a valid node name"),
};
export const storageId: Property = {
  format: (value) =>
    /^[a-z][a-z0-9\-_.]*[a-z0-9]$/i.test(value)
      ? undefined
      : `storage ID '${value}' contains illegal characters\n`,
};
export const dns: Property = { format: says(dnsName, "value does not look like a valid DNS name") };
export const configId: Property = { format: says(idPattern, "invalid configuration ID") };
export const configIdList: Property = {
  format: (value) => {
    const wrong = splitList(value).find((item) => !idPattern.test(item));
    return wrong === undefined ? undefined : `invalid configuration ID '${wrong}'\n`;
  },
};
export const tagList: Property = {
  format: (value) => {
    const wrong = splitList(value).find((tag) => !/^[a-z0-9_][a-z0-9_\-+.]*$/i.test(tag));
    return wrong === undefined ? undefined : `invalid characters in tag '${wrong}'\n`;
  },
};
export const digest: Property = { maxLength: 40 };

/** Lists are separated by any of these. */
export const splitList = (value: string): readonly string[] =>
  value.split(/[,;\s\0]+/).filter((item) => item !== "");
