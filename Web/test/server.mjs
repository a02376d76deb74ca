// A real server, and a network in front of it that can fail.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { connect as connectSocket, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const roost = process.env.ROOST;
if (!roost) throw new Error("ROOST must be the path of the server's binary.");

/** A process of `roost serve --dev` with generous limits. */
export class ServerProcess {
  static async start(...words) {
    const server = new ServerProcess();
    server.folder = mkdtempSync(join(tmpdir(), "roost-web-"));
    server.words = words;
    server.port = 0;
    server.commands = 0;
    await server.run();
    return server;
  }

  async run() {
    const rates = ["sendsPerSecond", "channelSendsPerSecond", "commandsPerSecond"];
    const limits = rates.flatMap((name) => ["--limit", `${name}=0`]);
    const place = ["--data", join(this.folder, "data"), "--port", `${this.port}`];
    this.process = spawn(
      roost,
      ["serve", "--dev", ...place, "--log-level", "error", ...limits, ...this.words],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    for await (const line of createInterface({ input: this.process.stdout })) {
      if (!line.startsWith("ready ")) continue;
      this.url = line.slice(6).trim();
      this.port = Number(new URL(this.url).port);
      return;
    }
    throw new Error("roost serve did not get ready");
  }

  /** Carries out a command as an operator. */
  async operate(command, body) {
    const words = ["token", "--data", join(this.folder, "data"), "--user", "root", "--operator"];
    const token = execFileSync(roost, words, { encoding: "utf8" }).trim();
    const headers = { "Authorization": `Bearer ${token}`, "Idempotency-Key": `test-${(this.commands += 1)}` };
    const answer = await fetch(`${this.url}/v1/${command}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${command}: ${await answer.text()}`);
    return await answer.json();
  }

  async kill(signal = "SIGKILL") {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    this.process.kill(signal);
    await ended;
  }

  async stop() {
    await this.kill("SIGTERM");
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A proxy that can cut its connections, and lose what the server answers. */
export class Proxy {
  static async start(port) {
    const proxy = new Proxy();
    proxy.sockets = new Set();
    proxy.losesAnswers = false;
    /** After so many bytes more all connections are cut; null if they are not. */
    proxy.cutsAfter = null;
    proxy.isDown = false;
    proxy.listener = createServer((inner) => {
      if (proxy.isDown) return inner.destroy();
      const outer = connectSocket(port, "127.0.0.1");
      for (const [from, to] of [[inner, outer], [outer, inner]]) {
        proxy.sockets.add(from);
        from.on("data", (bytes) => {
          if (from === outer && proxy.losesAnswers) return;
          to.write(bytes.subarray(0, proxy.cutsAfter ?? bytes.length));
          if (proxy.cutsAfter === null || (proxy.cutsAfter -= bytes.length) > 0) return;
          proxy.cutsAfter = null;
          proxy.cut();
        });
        from.on("error", () => {});
        from.on("close", () => {
          proxy.sockets.delete(from);
          to.destroy();
        });
      }
    });
    await new Promise((resolve) => proxy.listener.listen(0, "127.0.0.1", resolve));
    proxy.url = `http://127.0.0.1:${proxy.listener.address().port}`;
    return proxy;
  }

  /** Cuts all connections, when what was written is sent. */
  cut() {
    for (const socket of this.sockets) socket.destroySoon();
  }

  stop() {
    this.cut();
    this.listener.close();
  }
}

/** Waits until a condition holds; looks again after each event of the target. */
export async function until(target, types, condition) {
  if (condition()) return;
  await new Promise((resolve, reject) => {
    const names = [types].flat();
    const alarm = setTimeout(() => end(() => reject(new Error(`never came true: ${condition}`))), 60_000);
    const look = () => condition() && end(resolve);
    const end = (next) => {
      clearTimeout(alarm);
      for (const name of names) target.removeEventListener(name, look);
      next();
    };
    for (const name of names) target.addEventListener(name, look);
  });
}
