// The outcomes of shipping a Capp to a cluster.
import type { HubReason } from '../../crds/capp/conditions.ts';
import type { WorkFacts } from '../types/copy.ts';
import type { Verification, VerificationOrder } from '../types/verification.ts';
import type { Choice } from './choice.ts';

export type Applied =
  | {
      readonly outcome: 'Applied';
      readonly generation: number;
      readonly stamp: string;
      /** This try created the work. A repeat finds the work of an earlier try. */
      readonly created: boolean;
      /**
       * The work was there, and the workflow has no stamp of it: an earlier try has made it, whose answer was
       * lost, and its site may have let it in. No answer in the history of an earlier build says so, and such
       * a run goes on as it did: which commands follow is decided by the answer itself.
       */
      readonly wasThere?: true;
      /** How many seconds this generation may take to become Ready. */
      readonly deadlineSeconds: number;
      readonly work: WorkFacts;
      /** The hub keeps a DNS record for its hostname. */
      readonly hasRecord?: true;
      /** What its CappSet wants verified of this generation. */
      readonly order?: VerificationOrder;
      /** That has failed on this content before a workflow that was started over. */
      readonly failed?: Verification;
      /** What a move wants verified before it sends users there. */
      readonly moveOrder?: VerificationOrder;
      /** For how long the Capp bears to be unhealthy, in milliseconds; absent if it does not leave then. */
      readonly unhealthyMs?: number;
      /** After how many restarts of its containers it leaves without waiting for that; absent: never. */
      readonly unhealthyRestarts?: number;
      /** When the hub read the Capp, in milliseconds since the epoch. */
      readonly at: number;
    }
  /** The Capp cannot be shipped as it is; `reason` is a condition reason. */
  | {
      readonly outcome: 'Refused';
      readonly generation: number;
      readonly reason: HubReason;
      readonly message: string;
      readonly at: number;
      /** The work that was found there is not there any more, and nothing was shipped since. */
      readonly isGone?: true;
    }
  /** Annotation `rcs.dana.io/paused` pauses the Capp. */
  | {
      readonly outcome: 'Paused';
      readonly generation: number;
      readonly at: number;
      /** The user who paused it, as far as the webhook recorded them. */
      readonly by?: string;
      /** The work that was applied there before is not there any more. */
      readonly isGone?: true;
    }
  /** The work there is being deleted: nothing may be written to it. */
  | { readonly outcome: 'Leaving'; readonly generation: number; readonly at: number }
  /**
   * Nothing on the hub allows the Capp to be there, or nothing does any more: another site has to be chosen.
   */
  | {
      readonly outcome: 'Unwarranted';
      readonly generation: number;
      readonly message: string;
      readonly at: number;
    }
  /** The Capp is being deleted or is gone. */
  | { readonly outcome: 'Deleted' }
  /** Another object with the same name has replaced it. */
  | { readonly outcome: 'Replaced'; readonly uid: string };

/** The outcome for a Capp without a site. */
export interface Placed {
  readonly choice: Choice;
  /** When it was made, in milliseconds since the epoch. */
  readonly at: number;
  /** The outcome of shipping the Capp there at once; null if another step comes first. */
  readonly shipped: { readonly cluster: string; readonly answer: Applied } | null;
}
