import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

let made: Certificate | undefined;

/** A self-signed certificate for loopback, one for each process. */
export function selfSigned(): Certificate {
  made ??= make();
  return made;
}

function make(): Certificate {
  const folder = mkdtempSync(join(tmpdir(), "proxmox-simulator-"));
  const key = join(folder, "key.pem");
  const cert = join(folder, "cert.pem");
  try {
    const options = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
    execFileSync("openssl", ["req", ...options, ...subject, "-days", "2", "-keyout", key, "-out", cert], {
      stdio: "pipe",
    });
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
