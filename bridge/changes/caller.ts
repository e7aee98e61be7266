// Rings for a Capp: its key, why, what has changed (null if nothing in particular has), and of which kind that is.
import type { KubeObject } from '../../kube/resource.ts';
import type { Cause } from '../../workflows/types/ring.ts';

export type Caller = (key: string, cause: Cause, changed: KubeObject | null, kind?: string) => void;
