// What the row of a room (folder) says.

export interface Room {
  /**
   * Rooms, including the rooms inside them, or single files that it may import at run time. It may always
   * import its own files.
   */
  readonly imports?: readonly string[];
  /** Rooms of which it may import only types. */
  readonly types?: readonly string[];
  /** Packages that it may import; `node:*` is all of Node. */
  readonly packages?: readonly string[];
  /** Packages of which it may import only types. */
  readonly packageTypes?: readonly string[];
}
