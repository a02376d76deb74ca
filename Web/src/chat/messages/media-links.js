import { on } from "../../ui/dom.js";

/**
 * Lets a film or a voice message go on when its link has ended: links last ten minutes.
 *
 * @param {HTMLMediaElement} media which has a link already
 * @param {() => Promise<string>} link gives the same one until it ends, then a new one
 * @param {() => void} fail called for errors that another link does not cure
 */
export function keepPlaying(media, link, fail) {
  let source = media.src;
  let at = media.currentTime;
  let isPlaying = !media.paused || media.autoplay;
  let isRenewing = false;
  const renew = async () => {
    if (isRenewing) return;
    isRenewing = true;
    try {
      const next = await link();
      if (next !== source) {
        source = next;
        await goOn(next);
      }
    } catch {
      // What plays still may go on without it.
    }
    isRenewing = false;
    if (media.error) fail();
  };
  /** @param {string} next */
  const goOn = async (next) => {
    const { playbackRate } = media;
    const isReady = new Promise((resolve, reject) => {
      on(media, "loadedmetadata", resolve, undefined, { once: true });
      on(media, "error", reject, undefined, { once: true });
    });
    media.src = next;
    await isReady;
    media.currentTime = at;
    media.playbackRate = playbackRate;
    if (isPlaying) media.play().catch(() => {});
  };
  on(media, "timeupdate seeking", () => {
    if (!isRenewing) at = media.currentTime;
  });
  on(media, "play pause", () => {
    if (!isRenewing) isPlaying = !media.paused;
  });
  // What was read already plays; the rest is asked for with the link.
  on(media, "error seeking stalled play", renew);
}
