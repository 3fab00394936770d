export type Role = "controlplane" | "worker";

export const ROLES = ["controlplane", "worker"] as const;

/** As messages call it. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = { controlplane: "control plane", worker: "worker" };
