// What a sheet, or a question, is about.

export interface SheetTarget {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** What the person has seen of it. */
  readonly seen: string;
}
