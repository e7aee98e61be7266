// The fields of each call that a rule reads, by the numbers that Temporal's API gives them. Everything else
// that a site sends is never decoded.
import { WHOLE, type WireShape } from './wire.ts';

/** `data` and the map `metadata`, whose entries have a key and a value. */
const PAYLOAD = { 1: { 1: WHOLE, 2: WHOLE }, 2: WHOLE } as const;
const PAYLOADS = { 1: PAYLOAD } as const;
/** `task_token`, and nothing else. */
const TASK = { 1: WHOLE } as const;

export const SHAPES = {
  /** `task_queue`: `name`, `kind`, `normal_name`. */
  poll: { 2: { 1: WHOLE, 2: WHOLE, 3: WHOLE } },
  /** `task_token`, `result`. */
  complete: { ...TASK, 2: PAYLOADS },
  /** `task_token`, `failure`: `message`. */
  fail: { ...TASK, 2: { 1: WHOLE } },
  task: TASK,
  /** `task_token`, `details`. */
  heartbeat: { ...TASK, 2: PAYLOADS },
  /** `workflow_execution`: `workflow_id`; `signal_name`, `input`, `request_id`. */
  signal: { 2: { 1: WHOLE }, 3: WHOLE, 4: PAYLOADS, 6: WHOLE },
} as const satisfies Readonly<Record<string, WireShape>>;
