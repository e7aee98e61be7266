// The function that rings for a Capp: its key, the cause, the changed object (null if none in particular),
// and its kind.
import type { KubeObject } from '../../kube/resource.ts';
import type { Cause } from '../../workflows/types/ring.ts';

export type CauseCaller = (key: string, cause: Cause, changed: KubeObject | null, kind?: string) => void;
