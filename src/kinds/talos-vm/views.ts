import type { Model } from "./model.ts";
import { readmeView } from "./readme-view.ts";
import { testView } from "./test-view.ts";
import { tfvarsView } from "./tfvars-view.ts";

/** Views of the files that say something of the config, by path. All others know only where they come from. */
export function views(model: Model): Readonly<Record<string, object>> {
  const { source, config } = model;
  return {
    "README.md": readmeView(model),
    "terraform.tfvars": tfvarsView(model),
    "tests/vms.tftest.hcl": testView(model),
    "versions.tf": { source, providers: config.providers },
  };
}
