import { keep, kept } from "../ui/kept.js";

const key = "roost.sound";
/** Several messages at once make one sound, in ms. */
const pause = 1000;

/** @type {AudioContext | null} */
let audio = null;
let playedAt = -Infinity;

/** Whether the user wants a sound for new messages. */
export const hasSound = () => kept(key) === "on";

/** @param {boolean} isOn */
export function setSound(isOn) {
  keep(key, isOn ? "on" : null);
  if (isOn) playSound();
}

/** Plays two short tones. A browser lets a page do so only after a press or a key in it. */
export async function playSound() {
  const now = performance.now();
  if (now - playedAt < pause || typeof AudioContext === "undefined") return;
  playedAt = now;
  audio ??= new AudioContext();
  // Where the page may not play, this is pending until it may. What was kept back is not played late.
  if (audio.state !== "running") await audio.resume().catch(() => {});
  if (audio.state !== "running" || performance.now() - now > pause) return;
  for (const [index, frequency] of [659, 880].entries()) {
    const from = audio.currentTime + index * 0.11;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0, from);
    volume.gain.linearRampToValueAtTime(0.12, from + 0.015);
    volume.gain.exponentialRampToValueAtTime(0.0001, from + 0.3);
    tone.connect(volume).connect(audio.destination);
    tone.start(from);
    tone.stop(from + 0.32);
  }
}
