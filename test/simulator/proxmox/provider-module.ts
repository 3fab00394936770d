/** A small module with each kind of request that the generated trees make. */
export interface ModuleOptions {
  readonly endpoint: string;
  readonly token: string;
  readonly imageUrl: string;
}

export const moduleText = ({ endpoint, token, imageUrl }: ModuleOptions): string => `
terraform {
  required_providers {
    proxmox = {
      source  = "bpg/proxmox"
      version = "0.111.1"
    }
    restapi = {
      source  = "Mastercard/restapi"
      version = "2.0.1"
    }
  }
}

provider "proxmox" {
  endpoint  = "${endpoint}"
  api_token = "${token}"
  insecure  = true
}

provider "restapi" {
  uri                  = "${endpoint}"
  insecure             = true
  write_returns_object = true

  headers = {
    Authorization  = "PVEAPIToken=${token}"
    "Content-Type" = "application/json"
  }
}

variable "nodes" {
  type = map(object({ host_node = string, vm_id = number, volume_vm_id = number, ram = number }))
  default = {
    controller = { host_node = "pve1", vm_id = 201, volume_vm_id = 3001, ram = 2048 }
    worker     = { host_node = "pve2", vm_id = 202, volume_vm_id = 3002, ram = 4096 }
  }
}

variable "volumes" {
  type = map(object({ node = string, datastore = string, disk = string }))
  default = {
    block  = { node = "pve1", datastore = "local-zfs", disk = "vm-9999-block" }
    file   = { node = "pve2", datastore = "files", disk = "9999/vm-9999-file.raw" }
    shared = { node = "pve1", datastore = "nas", disk = "9999/vm-9999-shared.raw" }
  }
}

data "proxmox_virtual_environment_vms" "existing" {
  lifecycle {
    postcondition {
      condition     = alltrue([for vm in self.vms : contains(vm.tags, "talos-lab+a") if contains([for node in var.nodes : node.vm_id], vm.vm_id)])
      error_message = "VM ids belong to other VMs."
    }
  }
}

resource "proxmox_download_file" "image" {
  for_each = toset([for node in var.nodes : node.host_node])

  content_type = "import"
  datastore_id = "local"
  node_name    = each.key
  file_name    = "talos.qcow2"
  url          = "${imageUrl}"
  overwrite    = false
}

resource "proxmox_virtual_environment_vm" "data_vm" {
  for_each = var.nodes

  name        = "\${each.key}-data"
  description = "Disk /var of \${each.key}. Not to be started."
  node_name   = each.value.host_node
  vm_id       = tonumber("\${each.value.vm_id}0")
  tags        = ["k8s", "talos-lab+a"]
  started     = false
  on_boot     = false
  migrate     = true

  disk {
    datastore_id = "local-zfs"
    interface    = "scsi0"
    file_format  = "raw"
    size         = 20
    aio          = "io_uring"
    cache        = "writethrough"
    discard      = "on"
    iothread     = true
    ssd          = true
  }

  depends_on = [data.proxmox_virtual_environment_vms.existing]
}

resource "proxmox_virtual_environment_vm" "volume_vm" {
  for_each = var.nodes

  name      = "\${each.key}-volume"
  node_name = each.value.host_node
  vm_id     = each.value.volume_vm_id
  tags      = ["k8s", "talos-lab+a"]
  started   = false
  on_boot   = false
  migrate   = true

  disk {
    datastore_id = "files"
    interface    = "virtio0"
    file_format  = "raw"
    size         = 10
    cache        = "writethrough"
    discard      = "on"
    iothread     = true
  }

  depends_on = [data.proxmox_virtual_environment_vms.existing]
}

resource "proxmox_virtual_environment_vm" "this" {
  for_each = var.nodes

  name                = each.key
  node_name           = each.value.host_node
  vm_id               = each.value.vm_id
  tags                = ["k8s", "talos-lab+a"]
  machine             = "q35"
  scsi_hardware       = "virtio-scsi-single"
  boot_order          = ["scsi0"]
  migrate             = true
  stop_on_destroy     = true
  reboot_after_update = false

  agent {
    enabled = true

    wait_for_ip {
      disabled = true
    }
  }

  cpu {
    cores = 2
    type  = "x86-64-v2-AES"
  }

  memory {
    dedicated = each.value.ram
  }

  network_device {
    bridge  = "vmbr0"
    vlan_id = 0
  }

  operating_system {
    type = "l26"
  }

  smbios {
    serial = "ds=nocloud;h=\${each.key};i=\${each.value.vm_id}"
  }

  initialization {
    datastore_id = "local-zfs"

    dns {
      servers = ["10.0.0.1", "10.0.0.2"]
    }

    ip_config {
      ipv4 {
        address = "10.0.0.\${each.value.vm_id}/24"
        gateway = "10.0.0.1"
      }
    }
  }

  disk {
    datastore_id = "local-zfs"
    interface    = "scsi0"
    file_format  = "raw"
    import_from  = proxmox_download_file.image[each.value.host_node].id
    size         = 5
    cache        = "writethrough"
    discard      = "on"
    iothread     = true
    ssd          = true
  }

  disk {
    datastore_id      = "local-zfs"
    interface         = "scsi1"
    file_format       = "raw"
    path_in_datastore = proxmox_virtual_environment_vm.data_vm[each.key].disk[0].path_in_datastore
    size              = 20
    cache             = "writethrough"
    discard           = "on"
    iothread          = true
    ssd               = true
  }

  hostpci {
    device  = "hostpci0"
    mapping = "iGPU"
    pcie    = true
    rombar  = true
    xvga    = false
  }

  lifecycle {
    ignore_changes = [disk]
  }

  depends_on = [data.proxmox_virtual_environment_vms.existing]
}

resource "restapi_object" "attachment" {
  for_each = var.nodes

  object_id                 = "virtio3"
  path                      = "/api2/json/nodes/\${each.value.host_node}/qemu/\${each.value.vm_id}/config"
  read_path                 = "/api2/json/nodes/\${each.value.host_node}/qemu/\${each.value.vm_id}/config"
  create_method             = "PUT"
  update_path               = "/api2/json/nodes/\${each.value.host_node}/qemu/\${each.value.vm_id}/config"
  update_method             = "PUT"
  destroy_path              = "/api2/json/nodes/\${each.value.host_node}/qemu/\${each.value.vm_id}/config"
  destroy_method            = "PUT"
  destroy_data              = jsonencode({ delete = "virtio3" })
  ignore_all_server_changes = true

  force_new = [proxmox_virtual_environment_vm.this[each.key].id]

  data = jsonencode({
    virtio3 = join(",", [
      "files:\${proxmox_virtual_environment_vm.volume_vm[each.key].disk[0].path_in_datastore}",
      "aio=io_uring", "backup=1", "cache=writethrough", "discard=on", "iothread=1", "replicate=1",
      "serial=talos-\${each.key}", "size=10G",
    ])
  })
}

resource "restapi_object" "volume" {
  for_each = var.volumes

  path                      = "/api2/json/nodes/\${each.value.node}/storage/\${each.value.datastore}/content/"
  read_path                 = "/api2/json/nodes/\${each.value.node}/storage/\${each.value.datastore}/content/\${replace("\${each.value.datastore}:\${each.value.disk}", "/", "%2F")}"
  update_path               = "/api2/json/nodes/\${each.value.node}/storage/\${each.value.datastore}/content/\${replace("\${each.value.datastore}:\${each.value.disk}", "/", "%2F")}"
  destroy_path              = "/api2/json/nodes/\${each.value.node}/storage/\${each.value.datastore}/content/\${replace("\${each.value.datastore}:\${each.value.disk}", "/", "%2F")}"
  id_attribute              = "data"
  ignore_all_server_changes = true

  data = jsonencode({
    filename = basename(each.value.disk)
    format   = "raw"
    size     = "1024M"
    vmid     = 9999
  })

  update_data = jsonencode({ node = each.value.node })
}

resource "proxmox_virtual_environment_role" "csi" {
  role_id    = "CSI"
  privileges = ["Datastore.Allocate", "Datastore.AllocateSpace", "Datastore.Audit", "VM.Audit", "VM.Config.Disk"]
}

resource "proxmox_virtual_environment_user" "csi" {
  user_id = "kubernetes-csi@pve"
  comment = "Proxmox CSI plugin of Kubernetes"
}

resource "proxmox_acl" "csi" {
  path    = "/"
  role_id = proxmox_virtual_environment_role.csi.role_id
  user_id = proxmox_virtual_environment_user.csi.user_id
}

resource "proxmox_user_token" "csi" {
  user_id               = proxmox_virtual_environment_user.csi.user_id
  token_name            = "csi"
  comment               = "Proxmox CSI plugin of Kubernetes"
  privileges_separation = false
}
`;
