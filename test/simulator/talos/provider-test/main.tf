terraform {
  required_providers {
    kubernetes = {
      source  = "hashicorp/kubernetes"
      version = "3.2.1"
    }

    talos = {
      source  = "siderolabs/talos"
      version = "0.11.0"
    }
  }
}

variable "factory_url" {
  type = string
}

variable "nodes" {
  type = map(object({
    ip           = string
    machine_type = string
  }))
}

variable "patch" {
  type    = string
  default = "machine: {}"
}

variable "vip" {
  type    = string
  default = null
}

variable "wait_for_health" {
  type    = bool
  default = true
}

locals {
  control_planes = [for node in var.nodes : node.ip if node.machine_type == "controlplane"]
  workers        = [for node in var.nodes : node.ip if node.machine_type == "worker"]
  kubernetes     = talos_cluster_kubeconfig.this.kubernetes_client_configuration

  vip_patch = yamlencode({
    apiVersion = "v1alpha1"
    kind       = "Layer2VIPConfig"
    name       = var.vip
    link       = "eth0"
  })
}

provider "talos" {
  image_factory_url = var.factory_url
}

resource "talos_image_factory_schematic" "this" {
  schematic = <<-EOT
    customization:
      systemExtensions:
        officialExtensions: [siderolabs/qemu-guest-agent]
  EOT
}

resource "talos_machine_secrets" "this" {
  talos_version = "v1.13.0"
}

data "talos_machine_configuration" "this" {
  for_each = var.nodes

  cluster_name     = "test"
  cluster_endpoint = "https://${coalesce(var.vip, local.control_planes[0])}:6443"
  machine_type     = each.value.machine_type
  machine_secrets  = talos_machine_secrets.this.machine_secrets
  talos_version    = "v1.13.0"

  config_patches = concat(
    [
      yamlencode({
        machine = { nodeLabels = { "topology.kubernetes.io/zone" = "zone-of-${each.key}" } }
        cluster = { network = { cni = { name = "none" } } }
      }),
      yamlencode({ apiVersion = "v1alpha1", kind = "HostnameConfig", auto = "off", hostname = each.key }),
      var.patch,
    ],
    var.vip != null && each.value.machine_type == "controlplane" ? [local.vip_patch] : [],
  )
}

resource "talos_machine_configuration_apply" "this" {
  for_each = var.nodes

  node                        = each.value.ip
  client_configuration        = talos_machine_secrets.this.client_configuration
  machine_configuration_input = data.talos_machine_configuration.this[each.key].machine_configuration
}

resource "talos_machine_bootstrap" "this" {
  node                 = local.control_planes[0]
  client_configuration = talos_machine_secrets.this.client_configuration

  depends_on = [talos_machine_configuration_apply.this]
}

data "talos_cluster_health" "this" {
  count = var.wait_for_health ? 1 : 0

  client_configuration = talos_machine_secrets.this.client_configuration
  control_plane_nodes  = local.control_planes
  endpoints            = local.control_planes
  worker_nodes         = local.workers

  timeouts = {
    read = "60s"
  }

  depends_on = [talos_machine_bootstrap.this, talos_machine_configuration_apply.this]
}

resource "talos_cluster_kubeconfig" "this" {
  node                 = local.control_planes[0]
  client_configuration = talos_machine_secrets.this.client_configuration

  depends_on = [talos_machine_bootstrap.this]
}

provider "kubernetes" {
  host                   = local.kubernetes.host
  client_certificate     = base64decode(local.kubernetes.client_certificate)
  client_key             = base64decode(local.kubernetes.client_key)
  cluster_ca_certificate = base64decode(local.kubernetes.ca_certificate)
}

resource "kubernetes_namespace_v1" "this" {
  metadata {
    name = "storage"
  }

  depends_on = [data.talos_cluster_health.this]
}

resource "kubernetes_secret_v1" "this" {
  metadata {
    name      = "token"
    namespace = kubernetes_namespace_v1.this.metadata[0].name
  }

  data = {
    token = "nothing"
  }
}

resource "kubernetes_persistent_volume_v1" "this" {
  metadata {
    name = "pictures"
  }

  spec {
    access_modes = ["ReadWriteOnce"]
    capacity     = { storage = "1Gi" }

    persistent_volume_source {
      csi {
        driver        = "csi.proxmox.sinextra.dev"
        volume_handle = "region/zone/local/vm-9999-pictures"
      }
    }
  }

  depends_on = [data.talos_cluster_health.this]
}
