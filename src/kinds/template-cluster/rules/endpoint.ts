import { rule } from "./rule.ts";

export const endpointRules = [
  rule("endpoint", ({ config }, say) => {
    const cluster = config.cluster_config;
    if (cluster?.vip_enabled === undefined) return;
    const has = (key: string): boolean => Object.hasOwn(cluster, key);
    if (cluster.vip_enabled) {
      if (!has("vip_ip")) {
        const hint =
          'add vip_ip: "10.1.2.9", with a free address; or vip_enabled: false and endpoint_override';
        say.error(["cluster_config"], 'needs the key "vip_ip"', { at: "key", hint });
      }
      if (has("endpoint_override")) {
        const hint = "take it out, or write vip_enabled: false";
        say.error(["cluster_config", "endpoint_override"], "is a second endpoint beside the VIP", { hint });
      }
      return;
    }
    if (!has("endpoint_override")) {
      const hint = 'add endpoint_override: "https://k8s.example.com:6443", with your value; or use a VIP';
      say.error(["cluster_config"], 'needs the key "endpoint_override", since the VIP is off', {
        at: "key",
        hint,
      });
    }
    if (has("vip_ip")) {
      const hint = "take it out, or take vip_enabled out";
      say.error(["cluster_config", "vip_ip"], "means nothing with vip_enabled: false", { hint });
    }
  }),
];
