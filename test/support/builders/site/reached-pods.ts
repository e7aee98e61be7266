// Pods as the hub's reader tells of them: what a test does not say is the plainest thing that is so.
import type { ReachedPod } from '../../../../reach/pods.ts';

/** It is ready, and of the second revision of a Capp `shop`. */
export function aReachedPod(site: string, name: string, more: Partial<ReachedPod> = {}): ReachedPod {
  return {
    site,
    name,
    revision: 'shop-2',
    phase: 'Running',
    ready: true,
    restarts: 0,
    createdAt: null,
    containers: ['app'],
    ...more,
  };
}
