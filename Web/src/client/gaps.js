/** Asks for the rows that are missing in the logs of a `Sync`. */
export class Gaps {
  /** @param {import("./sync.js").Sync} sync */
  constructor(sync) {
    this.sync = sync;
    /** @type {Promise<void> | null} */
    this.closing = null;
    this.hasNew = false;
  }

  /** @param {{userSeq: number, channels: {channel: string, seq: number}[]}} heads */
  compare(heads) {
    const { own, logs } = this.sync;
    const behind = heads.channels.filter(({ channel, seq }) => {
      const position = logs.get(channel)?.position ?? null;
      return position !== null && position < seq;
    });
    if (behind.length || heads.userSeq > (own.position ?? 0)) this.mend(behind.map(({ channel }) => channel));
  }

  mendAll() {
    const { own, logs } = this.sync;
    const gaps = [...logs].filter(([, log]) => log.hasGap).map(([channel]) => channel);
    const hasUnknown = [...logs.values()].some((log) => log.position === null && log.held.size > 0);
    if (gaps.length || own.hasGap || hasUnknown) this.mend(gaps);
  }

  /**
   * Asks for what is missing; while an answer is under way, once more after it.
   * @param {string[]} channels
   */
  mend(channels) {
    const { sync } = this;
    const { connection } = sync;
    if (!connection || !sync.isLive) return;
    if (this.closing) {
      this.hasNew = true;
      return;
    }
    this.hasNew = false;
    this.closing = sync.resume(connection, channels)
      .catch(() => {
        // If the connection is lost, the next one begins with `resume`.
      })
      .finally(() => {
        this.closing = null;
        // Rows of a channel that this user does not have.
        for (const [channel, log] of sync.logs) if (log.position === null) sync.logs.delete(channel);
        if (this.hasNew && connection === sync.connection) this.mendAll();
      });
  }
}
