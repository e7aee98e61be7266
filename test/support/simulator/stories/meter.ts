// Counts what the hub worker asks of the API server, by activity, verb and resource.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { KubeRequest } from '../../../../kube/http/transport.ts';
import type { Hub } from '../../../../workflows/ports/hub.ts';
import { asked } from '../api/request.ts';
import type { Meter } from '../world/world.ts';

/** By activity and request, such as `publish` and `apply capps/status`. */
export type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

export class Counter implements Meter {
  readonly #activity = new AsyncLocalStorage<string>();
  #counts: Record<string, Record<string, number>> = {};

  activities(hub: Hub): Hub {
    const entries = Object.entries(hub as unknown as Readonly<Record<string, Activity>>).map(
      ([name, activity]) => [
        name,
        (...given: unknown[]) => this.#activity.run(name, () => activity(...given)),
      ],
    );
    return Object.fromEntries(entries) as Hub;
  }

  asked(request: KubeRequest): void {
    this.#count(requestText(request));
  }

  noted(): void {
    this.#count('create events');
  }

  /** What was counted since this was last asked. */
  take(): Counts {
    const counts = this.#counts;
    this.#counts = {};
    return counts;
  }

  #count(what: string): void {
    const activity = (this.#counts[this.#activity.getStore() ?? 'none'] ??= {});
    activity[what] = (activity[what] ?? 0) + 1;
  }
}

type Activity = (...given: unknown[]) => unknown;

const VERBS: Readonly<Record<string, string>> = { POST: 'create', DELETE: 'delete', PATCH: 'patch' };

function requestText(request: KubeRequest): string {
  const { method, plural, name, subresource, isApply } = asked(request);
  const verb = isApply ? 'apply' : (VERBS[method] ?? (name === null ? 'list' : 'get'));
  return `${verb} ${plural}${subresource === null ? '' : `/${subresource}`}`;
}
