import { restapiEdits, talosEdits } from "./stand-ins.ts";
import type { Tool } from "./tool.ts";

/** Every tool that the tests run, in the order in which they are built. */
export const table = {
  tofu: {
    name: "tofu",
    version: "1.12.6",
    group: "base",
    module: "github.com/opentofu/opentofu@v1.12.6",
    sum: "h1:0VT4P8pMmGcCUnQ9JDrJ+Qg2d35Vzm4FFd/9+H7oF98=",
    package: "./cmd/tofu",
    // Or it calls itself a development build.
    ldflags: "-X github.com/opentofu/opentofu/version.dev=no",
  },
  proxmox: {
    name: "terraform-provider-proxmox",
    version: "0.111.1",
    group: "base",
    provider: "bpg/proxmox",
    module: "github.com/bpg/terraform-provider-proxmox@v0.111.1",
    sum: "h1:sRMDj3SaHKN2gbhKdteacF17jXmOiK5lfDMFj23nfBU=",
  },
  /** A stand-in made of 0.8.0; stand-ins.ts says why and what it is worth. */
  talos: {
    name: "terraform-provider-talos",
    version: "0.11.0",
    group: "base",
    provider: "siderolabs/talos",
    module: "github.com/siderolabs/terraform-provider-talos@v0.8.0",
    sum: "h1:NaxfxmaUY2pO2jMcc0J72xI5acBaMA0B/eNjbbCIHtM=",
    edits: talosEdits,
    unlisted: [
      "github.com/siderolabs/terraform-provider-talos v0.8.0/go.mod h1:pUEMCJIyiv/ijG7lsf38mqw6oM/6tfH7ptsOpcCEuc8=",
    ],
  },
  /** A stand-in made of 1.20.0; likewise. */
  restapi: {
    name: "terraform-provider-restapi",
    version: "2.0.1",
    group: "base",
    provider: "mastercard/restapi",
    module: "github.com/Mastercard/terraform-provider-restapi@v1.20.0",
    sum: "h1:z4kPtDZgG1HmLsawE4SzP1PxPyz2hAHxwkrHMuRvFrA=",
    edits: restapiEdits,
  },
  /** Not a stand-in, but a commit two months after the tag 3.2.1, which the proxy does not hold. */
  kubernetes: {
    name: "terraform-provider-kubernetes",
    version: "3.2.1",
    group: "base",
    provider: "hashicorp/kubernetes",
    module: "github.com/hashicorp/terraform-provider-kubernetes@v1.13.4-0.20260821094251-3a33fb6cc605",
    sum: "h1:Bb8CFKLw8r2CTu9NL5LUtj4kgOcE3q8D/lWUqtjSVWI=",
  },
  tflint: {
    name: "tflint",
    version: "0.64.0",
    group: "base",
    module: "github.com/terraform-linters/tflint@v0.64.0",
    sum: "h1:v0KwryBjBeo79uqFrYQOllZk3l/nQvH/e4SZW45jhA8=",
  },
  talosctl: {
    name: "talosctl",
    version: "1.13.0",
    group: "base",
    module: "github.com/siderolabs/talos@v1.13.0",
    sum: "h1:4KXRbxCZ/8FtXRV/cEaouW8K/LjRkBLG7a42dsNLe8M=",
    package: "./cmd/talosctl",
    edits: [
      // The proxy does not hold this fork; the original builds.
      { file: "go.mod", find: /^replace github\.com\/containerd\/containerd\/v2 => .*\n/m, put: "" },
      // The module's own files do not include those of the module nested in it.
      {
        file: "go.mod",
        find: "=> ./pkg/machinery",
        put: "=> github.com/siderolabs/talos/pkg/machinery v1.13.0",
      },
    ],
  },
  terraformDocs: {
    name: "terraform-docs",
    version: "0.24.0",
    group: "base",
    module: "github.com/terraform-docs/terraform-docs@v0.24.0",
    sum: "h1:dwAI4Run+jMNRa8uDfgbgihPkLUszbTP4tAgW3MKHnU=",
  },
  etcd: {
    name: "etcd",
    version: "3.6.8",
    group: "kubernetes",
    module: "go.etcd.io/etcd/server/v3@v3.6.8",
    sum: "h1:U2strdSEy1U8qcSzRIdkYpvOPtBy/9i/IfaaCI9flZ4=",
    // Folders beside the module's, which only its repository has.
    edits: [{ file: "go.mod", find: /^replace (\([^)]*\)|.*)\n/gm, put: "" }],
  },
  kubeApiserver: {
    name: "kube-apiserver",
    version: "1.35.3",
    group: "kubernetes",
    module: "k8s.io/kubernetes@v1.35.3",
    sum: "h1:J3dk2wybKFHwoH4eydDUGHJo4HAD+9CZbSlvk/YQuao=",
    package: "./cmd/kube-apiserver",
    ldflags: "-X k8s.io/component-base/version.gitVersion=v1.35.3",
    edits: [{ file: "go.mod", find: /=> \.\/staging\/src\/(.*)$/gm, put: "=> $1 v0.35.3" }],
    unlisted: ["k8s.io/sample-apiserver v0.35.3/go.mod h1:4WT9aw0tnDXiCg8+/2hOkUpiZdi+uhMaIT+WvBPqfYM="],
  },
} satisfies Record<string, Tool>;

export type ToolId = keyof typeof table;
