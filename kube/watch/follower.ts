// The store that a watch fills, and the callbacks that are told of changes.
import type { KubeObject } from '../resource.ts';
import type { Change, Store } from './store.ts';

export interface Follower<T extends KubeObject> {
  readonly store: Store<T>;
  /** Is called with every change, in order, when the store shows it. */
  readonly onChange: (change: Change<T>) => void;
  /** Is called when a list has been read, before anything of it is delivered. */
  readonly onList: () => void;
  /** Is called when `resourceVersion` may have moved, after the changes that moved it. */
  readonly onSeen: () => void;
  /** Is called when `problem` changes. */
  readonly onProblemChanged: () => void;
}
