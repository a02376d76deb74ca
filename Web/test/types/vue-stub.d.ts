// What the types of Vue 3 are for these checks; Debian has none.

export type DefineComponent<Properties = {}, Exposed = {}> =
  new (...values: unknown[]) => { $props: Properties } & Exposed;
export interface GlobalComponents {}
