import type { Call } from "./call.ts";
import { nodeName, optional, natural, text } from "./formats.ts";
import { denied, failure } from "./refusal.ts";
import type { Route } from "./router.ts";

export interface Task {
  readonly upid: string;
  readonly node: string;
  readonly type: string;
  readonly id: string;
  readonly user: string;
  readonly pid: number;
  readonly startTime: number;
  readonly exitStatus: string;
  readonly log: readonly string[];
}

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(8, "0");

/** Does the work at once and answers with the id of a task that has ended, well or not. */
export async function runTask(
  call: Call,
  node: string,
  type: string,
  id: string,
  work: () => Promise<void> | void,
): Promise<string> {
  const { tasks } = call.cluster;
  const pid = 1000 + tasks.size;
  const startTime = Math.floor(Date.now() / 1000);
  const upid = `UPID:${node}:${hex(pid)}:${hex(100_000 + tasks.size)}:${hex(startTime)}:${type}:${id}:${call.user}:`;
  const log: string[] = [];
  let exitStatus = "OK";
  try {
    await work();
  } catch (error) {
    exitStatus = error instanceof Error ? error.message : String(error);
    if (error instanceof Error && typeof error.cause === "string") log.push(`ERROR: ${error.cause}`);
    call.failedTasks.push([`${type} ${id}: ${exitStatus}`, ...log].join(", "));
  }
  log.push(exitStatus === "OK" ? "TASK OK" : `TASK ERROR: ${exitStatus}`);
  tasks.set(upid, { upid, node, type, id, user: call.user, pid, startTime, exitStatus, log });
  return upid;
}

function find(call: Call): Task {
  const upid = call.need("upid");
  const task = call.cluster.tasks.get(upid);
  if (task === undefined || task.node !== call.node) throw failure(`no such task '${upid}'`);
  const isOwn = task.user === call.user || task.user.startsWith(`${call.user}!`);
  if (!isOwn && !call.may(`/nodes/${task.node}`, "Sys.Audit")) throw denied(`/nodes/${task.node}, Sys.Audit`);
  return task;
}

export const taskRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "nodes/{node}/tasks/{upid}/status",
    parameters: { node: nodeName, upid: text },
    answer: (call) => {
      const { upid, node, type, id, user, pid, startTime, exitStatus } = find(call);
      return {
        upid,
        node,
        type,
        id,
        user,
        pid,
        starttime: startTime,
        status: "stopped",
        exitstatus: exitStatus,
      };
    },
  },
  {
    method: "GET",
    path: "nodes/{node}/tasks/{upid}/log",
    parameters: { node: nodeName, upid: text, start: optional(natural), limit: optional(natural) },
    answer: (call) => find(call).log.map((line, index) => ({ n: index + 1, t: line })),
  },
  {
    method: "DELETE",
    path: "nodes/{node}/tasks/{upid}",
    parameters: { node: nodeName, upid: text },
    answer: (call) => {
      find(call);
      return null;
    },
  },
];
