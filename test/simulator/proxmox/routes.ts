import { aclRoutes } from "./acl.ts";
import { ticketRoutes } from "./authentication.ts";
import { contentRoutes } from "./content.ts";
import { downloadRoutes } from "./downloads.ts";
import { inventoryRoutes } from "./inventory.ts";
import { pciMappingRoutes } from "./pci-mappings.ts";
import { poolRoutes } from "./pools.ts";
import { configRoutes } from "./qemu-config.ts";
import { copyRoutes } from "./qemu-copies.ts";
import { createRoutes } from "./qemu-create.ts";
import { diskMoveRoutes } from "./qemu-disk-moves.ts";
import { lifecycleRoutes } from "./qemu-lifecycle.ts";
import { migrationRoutes } from "./qemu-migration.ts";
import { roleRoutes } from "./roles.ts";
import { taskRoutes } from "./tasks.ts";
import { tokenRoutes } from "./tokens.ts";
import { userRoutes } from "./users.ts";
import { Router } from "./router.ts";

/** Every endpoint that there is. */
export const router = new Router([
  ...inventoryRoutes,
  ...ticketRoutes,
  ...roleRoutes,
  ...userRoutes,
  ...tokenRoutes,
  ...aclRoutes,
  ...poolRoutes,
  ...pciMappingRoutes,
  ...taskRoutes,
  ...downloadRoutes,
  ...contentRoutes,
  ...createRoutes,
  ...configRoutes,
  ...lifecycleRoutes,
  ...diskMoveRoutes,
  ...copyRoutes,
  ...migrationRoutes,
]);
