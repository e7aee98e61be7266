// Gives `ms` its types back: its package hides them from nodenext resolution, and Temporal's Duration would
// be `any`.
declare module 'ms' {
  type Unit = 'ms' | 's' | 'm' | 'h' | 'd';
  export type StringValue = `${number}` | `${number}${Unit}`;
}
