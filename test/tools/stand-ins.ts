/**
 * Two of the four providers are stand-ins, because the module proxy does not hold the versions that a generated tree
 * asks for. Each is an older release, edited to behave like the version it is laid out as.
 */
import type { Edit } from "./tool.ts";

/**
 * siderolabs/talos 0.11.0 is provider 0.8.0 with Talos 1.13.0 in place of 1.10.0, which is what 0.11.0 carries.
 *
 * For all that a generated tree uses, the two print the same schema. The stand-in has no `*_wo` arguments, no ephemeral
 * resources, no `machine_configuration_hash`, `resolved_apply_mode`, `exact_filters` or `staged_if_needing_reboot`, and
 * no `selector` in `talos_machine_disks`. It checks Kubernetes even with `skip_kubernetes_checks = true`, and takes
 * `on_destroy` from a variable, which 0.11.0 refuses.
 */
export const talosEdits: readonly Edit[] = [
  {
    file: "go.mod",
    find: "replace google.golang.org/grpc => google.golang.org/grpc v1.66.3\n",
    put: "",
  },
  {
    file: "go.mod",
    find: "github.com/siderolabs/talos v1.10.0",
    put: "github.com/siderolabs/talos v1.13.0",
  },
  {
    file: "go.mod",
    find: "github.com/siderolabs/talos/pkg/machinery v1.10.0",
    put: "github.com/siderolabs/talos/pkg/machinery v1.13.0",
  },
  // Talos 1.13 no longer has this option.
  {
    file: "pkg/talos/util.go",
    find: "\t\tgenerate.WithPersist(true),\n",
    put: "",
  },
  // A patch that is not known yet was read as the name of a file: "open : no such file or directory".
  {
    file: "pkg/talos/talos_machine_configuration_data_source.go",
    find: "\tif _, err := configpatcher.LoadPatches(configPatches); err != nil {\n",
    put: `	for _, patch := range state.ConfigPatches.Elements() {
		if patch.IsUnknown() {
			return
		}
	}

	if _, err := configpatcher.LoadPatches(configPatches); err != nil {
`,
  },
];

/**
 * Mastercard/restapi 2.0.1 is provider 1.20.0 with one argument more, `ignore_all_server_changes`.
 *
 * 1.20.0 never looks at changes made on the server, which 2.0.1 does not either when that argument is true. A tree that
 * does not set it to true is not proved by this stand-in. It has no `ignore_changes_to`, `search_data` or `root_ca_*`.
 */
export const restapiEdits: readonly Edit[] = [
  {
    file: "restapi/resource_api_object.go",
    find: '\t\t\t"path": {\n',
    put: `			"ignore_all_server_changes": {
				Type:     schema.TypeBool,
				Optional: true,
				Default:  false,
			},
			"path": {
`,
  },
];
