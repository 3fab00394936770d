import { stringify } from "yaml";
import { issue, type Authority } from "../talos/certificates.ts";

/** A kubeconfig with all rights, as a control plane hands it out. */
export function makeKubeconfig(clusterName: string, endpoint: URL, authority: Authority): string {
  const admin = issue(authority, "client", { commonName: "admin", organization: "system:masters" });
  const base64 = (pem: string) => Buffer.from(pem).toString("base64");
  const user = `admin@${clusterName}`;
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name: clusterName,
        cluster: {
          server: endpoint.href.replace(/\/$/, ""),
          "certificate-authority-data": base64(authority.certificate),
        },
      },
    ],
    users: [
      {
        name: user,
        user: { "client-certificate-data": base64(admin.certificate), "client-key-data": base64(admin.key) },
      },
    ],
    contexts: [{ name: user, context: { cluster: clusterName, namespace: "default", user } }],
    "current-context": user,
  });
}
