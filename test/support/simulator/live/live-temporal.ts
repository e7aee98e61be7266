// A real Temporal in the simulator's place for it: workers run the workflows, and ask the simulated hub and
// the simulated agents.
import type { Client, WorkflowHandle } from '@temporalio/client';
import { ActivityFailure, ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { Context } from '@temporalio/activity';
import { HUB_QUEUE } from '../../../../workflows/names.ts';
import type { Agent } from '../../../../workflows/ports/agent.ts';
import type { Outcome } from '../engine/exchange.ts';
import { Temporal, type Around } from '../engine/temporal.ts';

type Activities = Readonly<Record<string, (...given: unknown[]) => Promise<unknown>>>;

const HEARTBEAT_MS = 500;

export class LiveTemporal extends Temporal {
  readonly #live: Around;
  readonly #client: Client;

  constructor(around: Around, client: Client) {
    super(around);
    this.#live = around;
    this.#client = client;
  }

  /** The hub's, of the process that runs now. */
  hubActivities(): Activities {
    const names = Object.keys(this.#live.hub()) as (keyof ReturnType<Around['hub']>)[];
    const act =
      (name: (typeof names)[number]) =>
      (...given: unknown[]): Promise<unknown> =>
        (this.#live.hub()[name] as (...given: unknown[]) => Promise<unknown>)(...given);
    return Object.fromEntries(names.map((name) => [name, act(name)]));
  }

  agentActivities(cluster: string): Activities {
    const act =
      (name: keyof Agent) =>
      (...given: unknown[]): Promise<unknown> =>
        this.#ask(name, cluster, given);
    return {
      awaitVerdict: act('awaitVerdict'),
      report: act('report'),
      verify: act('verify'),
      verifyMetrics: act('verifyMetrics'),
    };
  }

  override client(): Client {
    return this.#client;
  }

  override send(id: string, name: string, given: readonly unknown[]): boolean {
    const handle: WorkflowHandle = this.#client.workflow.getHandle(id);
    void handle.signal<unknown[]>(name, ...given).catch(() => undefined);
    return true;
  }

  override update(
    id: string,
    name: string,
    given: readonly unknown[],
    reply: (outcome: Outcome) => void,
  ): void {
    const handle: WorkflowHandle = this.#client.workflow.getHandle(id);
    void handle
      .executeUpdate<unknown, [unknown, ...unknown[]]>(name, { args: given as [unknown, ...unknown[]] })
      .then(
        (value) => reply({ value }),
        (error: Error) => reply({ error }),
      );
  }

  override startWith(type: string, { workflowId, args }: Parameters<Temporal['startWith']>[1]): void {
    void this.#client.workflow
      .start(type, { workflowId, args: [...args], taskQueue: HUB_QUEUE })
      .catch(() => undefined);
  }

  /** A real server does not forget. */
  override wipe(): void {}

  override loseTurn(): boolean {
    return false;
  }

  async #ask(name: keyof Agent, cluster: string, given: readonly unknown[]): Promise<unknown> {
    const context = Context.current();
    const beating = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
    const answered = Promise.withResolvers<unknown>();
    const cancel = this.#live.askAgent(
      { id: context.info.workflowExecution?.workflowId ?? '' },
      { do: 'agent', name, cluster, given },
      (outcome) => {
        if ('error' in outcome) answered.reject(asFailure(outcome.error));
        else answered.resolve(outcome.value);
      },
    );
    try {
      return await Promise.race([answered.promise, context.cancelled]);
    } catch (error) {
      if (error instanceof CancelledFailure) cancel();
      throw error;
    } finally {
      clearInterval(beating);
    }
  }
}

function asFailure(error: Error): Error {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return ApplicationFailure.nonRetryable(cause?.message ?? '');
}
