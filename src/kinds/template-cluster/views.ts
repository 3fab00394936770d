import type { Model } from "./model.ts";
import { readmeView } from "./readme-view.ts";
import { testView } from "./test-view.ts";
import { tfvarsView } from "./tfvars-view.ts";
import schema from "../../../schema/template-cluster.schema.json" with { type: "json" };

/** Views of the files that say something of the config, by path. All others know only where they come from. */
export function views(model: Model): Readonly<Record<string, object>> {
  const { source, config, moves } = model;
  const { Ccm, Flux, PrometheusOperatorCrds } = schema.definitions;
  return {
    "README.md": readmeView(model),
    "proxmox-infrastructure/moved.tf": { source, moves },
    "terraform.tfvars": tfvarsView(model),
    "tests/cluster.tftest.hcl": testView(model),
    "variables.tf": {
      source,
      versions: {
        ccm: Ccm.properties.version.default,
        flux: Flux.properties.version.default,
        prometheusOperatorCrds: PrometheusOperatorCrds.properties.version.default,
      },
    },
    "versions.tf": { source, providers: config.providers },
  };
}
