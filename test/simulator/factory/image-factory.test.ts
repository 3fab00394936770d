import { test } from "uvu";
import * as assert from "uvu/assert";
import { ImageFactory } from "./image-factory.ts";

const empty = "376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba";
const guestAgent = "ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515";
const guestAgentSource =
  "customization: { systemExtensions: { officialExtensions: [siderolabs/qemu-guest-agent] } }";

let factory: ImageFactory;

test.before.each(async () => {
  factory = await ImageFactory.start();
});

test.after.each(() => factory.stop());

const post = (body: string) => fetch(`${factory.url}/schematics`, { method: "POST", body });

test("schematics get the ids that the public factory gives them", async () => {
  for (const [source, id] of [
    ["", empty],
    ["{}", empty],
    ["customization: {}", empty],
    [guestAgentSource, guestAgent],
  ] as const) {
    const response = await post(source);
    assert.is(response.status, 201);
    assert.is(((await response.json()) as { id: string }).id, id);
  }
  assert.equal(factory.schematics, [empty, guestAgent]);
});

test("a field that no schematic has is refused", async () => {
  const response = await post("customisation: {}");
  assert.is(response.status, 400);
  assert.match(await response.text(), "customisation");
});

test("there are images of registered schematics only", async () => {
  const url = `${factory.url}/image/${guestAgent}/v1.13.0/nocloud-amd64.qcow2`;
  assert.is((await fetch(url)).status, 404);
  await post(guestAgentSource);
  const image = await fetch(url);
  assert.is(image.status, 200);
  assert.match(await image.text(), guestAgent);
  const head = await fetch(url, { method: "HEAD" });
  assert.is(head.headers.get("content-length"), image.headers.get("content-length"));
  assert.is((await fetch(`${factory.url}/schematics/${guestAgent}`)).status, 200);
});

test("what no image is called is refused, and every request is recorded", async () => {
  await post("{}");
  const status = async (path: string) => (await fetch(`${factory.url}${path}`)).status;
  assert.is(await status(`/image/${empty}/1.13/nocloud-amd64.qcow2`), 400);
  assert.is(await status(`/image/${empty}/v1.13.0/nocloud-x86.qcow2`), 400);
  assert.is(await status(`/image/${empty}/v1.13.0/nocloud-amd64.raw.gz.sha256`), 402);
  assert.is(await status("/images"), 404);
  assert.equal(
    factory.requests.map(({ method, status }) => `${method} ${status}`),
    ["POST 201", "GET 400", "GET 400", "GET 402", "GET 404"],
  );
});

test.run();
