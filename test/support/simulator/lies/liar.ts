// One site that lies: whoever has taken it over sends what it likes, through the real gateway, until the
// calm.
import { MANIFEST_WORK, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { CAPP_KEY, CAPP_NAME, CAPP_NAMESPACE, HAS_PLACEMENT } from '../../../../crds/labels.ts';
import { api } from '../../../../gateway/calls/messages.ts';
import { agentQueue, cappWorkflowId, siteWorkflowId, turnsWorkflowId } from '../../../../workflows/names.ts';
import type { Random } from '../../builders/random.ts';
import type { Cancel } from '../engine/clockwork.ts';
import type { Done } from '../engine/exchange.ts';
import { fail } from '../rules/breach.ts';
import { NAMESPACE, SITES } from '../world/names.ts';
import { worksOn } from '../world/ocm.ts';
import type { World } from '../world/world.ts';
import { isDenied, simulatedGateway, tokenOf, type Call, type Said } from './gateway.ts';
import { inputs, inventoryOf, TOLD, type Victim } from './tales.ts';
import { Upstream, type Asking, type Heard } from './upstream.ts';
import { defaultPayloadConverter } from '@temporalio/common';
import { status } from '@grpc/grpc-js';

interface Held {
  readonly kind: keyof typeof TOLD;
  readonly token: Uint8Array;
}

/** Calls that no site may make, whatever is in them. */
const FORBIDDEN = [
  'StartWorkflowExecution',
  'SignalWithStartWorkflowExecution',
  'TerminateWorkflowExecution',
  'RespondActivityTaskCompletedById',
  'RespondWorkflowTaskCompleted',
  'PollWorkflowTaskQueue',
  'UpdateWorkflowExecution',
  'StartActivityExecution',
  'GetWorkflowExecutionHistory',
] as const;
const SIGNALS = [
  'ring',
  'audit',
  'migrate',
  'leave',
  'permit',
  'requestTurn',
  'settled',
  'evacuate',
  'drainChanged',
] as const;
const ENCODINGS = ['json/plain', 'json/plain', 'json/plain', 'binary/null', 'json/protobuf'] as const;
const MOST_HELD = 20;
/** After so many deeds it takes its time: what more of them would do, another life does. */
const MANY = 400;
const SLOWER = 20;

export class Liar {
  readonly site: string;
  readonly #world: World;
  readonly #dice: Random;
  readonly #upstream: Upstream;
  readonly #call: Promise<Call>;
  /** Questions that it has got, those that are over, too. */
  #held: Held[] = [];
  #deeds = 0;

  constructor(world: World, dice: Random, heard: Heard) {
    // Both placements know it, so that there is more to lie about.
    this.site = dice.chance(0.5) ? SITES[1] : dice.pick(SITES);
    this.#world = world;
    this.#dice = dice;
    this.#upstream = new Upstream(world, this.site, heard);
    this.#call = simulatedGateway(world, this.site, this.#upstream.temporal());
    world.tell(`${this.site} lies`);
    this.#goOn(dice.pick([1_000, 5_000, 20_000]));
  }

  ask(asking: Asking, done: Done): Cancel {
    return this.#upstream.ask(asking, done);
  }

  #goOn(pace: number): void {
    const slower = this.#deeds < MANY ? 1 : SLOWER;
    this.#world.clock.after(this.#dice.next() * pace * slower, () => {
      if (this.#world.calm) return;
      this.#deeds += 1;
      void this.#act();
      this.#goOn(pace);
    });
  }

  /** Nothing is sent while the site is away. */
  async #act(): Promise<void> {
    if (this.#world.site(this.site)?.isAnswering() !== true) return;
    const call = await this.#call;
    await this.#poll(call);
    const act = this.#dice.pick([
      this.#answers,
      this.#answers,
      this.#answers,
      this.#fails,
      this.#signals,
      this.#signals,
      this.#tells,
      this.#forbidden,
      this.#otherQueues,
      this.#writes,
    ]);
    await act.call(this, call);
  }

  async #poll(call: Call): Promise<void> {
    const taskQueue = { name: agentQueue(this.site) };
    const said = await call(
      'PollActivityTaskQueue',
      api.PollActivityTaskQueueRequest.encode({ taskQueue }).finish(),
    );
    if (!('bytes' in said)) return;
    const { taskToken, activityType } = api.PollActivityTaskQueueResponse.decode(said.bytes);
    const kind = activityType?.name as Held['kind'] | undefined;
    if (kind !== undefined && taskToken.length > 0)
      this.#held = [...this.#held, { kind, token: taskToken }].slice(-MOST_HELD);
  }

  #payloads(value: unknown): { payloads: object[] } {
    const payload = defaultPayloadConverter.toPayload(value ?? null);
    const encoding = Buffer.from(this.#dice.pick(ENCODINGS));
    const isOdd = this.#dice.chance(0.1);
    return { payloads: [isOdd ? { ...payload, metadata: { encoding } } : payload] };
  }

  /** Answers a question, or once more one that is over. */
  async #answers(call: Call): Promise<void> {
    const held = this.#dice.chance(0.7)
      ? this.#held.at(-1)
      : this.#held.at(Math.floor(this.#dice.next() * this.#held.length));
    if (held === undefined) return;
    const result = this.#payloads(TOLD[held.kind](this.#dice));
    const request = { taskToken: held.token, result };
    const bytes = api.RespondActivityTaskCompletedRequest.encode(request).finish();
    const other = this.#dice.pick(SITES);
    if (this.#dice.chance(0.1) && other !== this.site)
      this.#must(await call('RespondActivityTaskCompleted', bytes, tokenOf(other)), 'another site answers');
    const said = await call('RespondActivityTaskCompleted', bytes);
    this.#counts(`it answers ${held.kind}`, said);
    this.#world.tell(
      `${this.site} lies about ${held.kind}`,
      'refusal' in said ? said.refusal.message : result,
    );
  }

  async #fails(call: Call): Promise<void> {
    const held = this.#held[Math.floor(this.#dice.next() * this.#held.length)];
    const taskToken = this.#dice.chance(0.8) ? (held?.token ?? new Uint8Array()) : Buffer.from('task-1');
    const failure = { message: 'x', canceledFailureInfo: {}, cause: { terminatedFailureInfo: {} } };
    const method = this.#dice.pick(['Failed', 'Failed', 'Canceled', 'Heartbeat'] as const);
    if (method === 'Heartbeat') {
      const bytes = api.RecordActivityTaskHeartbeatRequest.encode({ taskToken }).finish();
      return this.#counts('it beats', await call('RecordActivityTaskHeartbeat', bytes));
    }
    const bytes = api.RespondActivityTaskFailedRequest.encode({ taskToken, failure }).finish();
    this.#counts(`it says that a task has ${method}`, await call(`RespondActivityTask${method}`, bytes));
  }

  async #signals(call: Call): Promise<void> {
    const { dice, id } = { dice: this.#dice, id: this.#target() };
    const signalName = dice.chance(0.6) ? 'ring' : dice.pick(SIGNALS);
    await this.#signal(call, id, signalName, inputs(dice));
  }

  /** Its inventory, of what is not there. */
  async #tells(call: Call): Promise<void> {
    const to = this.#dice.chance(0.9) ? this.site : this.#dice.pick(SITES);
    await this.#signal(call, siteWorkflowId(to), 'audit', inventoryOf(this.#dice, this.#victims()));
  }

  async #signal(call: Call, workflowId: string, signalName: string, value: unknown): Promise<void> {
    const request = { workflowExecution: { workflowId }, signalName, input: this.#payloads(value) };
    const bytes = api.SignalWorkflowExecutionRequest.encode(request).finish();
    const said = await call('SignalWorkflowExecution', bytes);
    this.#counts(`it sends ${signalName}`, said);
    this.#world.tell(`${this.site} sends ${signalName} to ${workflowId}`, said);
  }

  #target(): string {
    const [site, name] = [this.#dice.pick(SITES), this.#dice.pick(this.#world.capps)];
    return this.#dice.chance(0.8)
      ? cappWorkflowId(NAMESPACE, name)
      : this.#dice.pick([turnsWorkflowId(site), siteWorkflowId(site), 'hub', '']);
  }

  #victims(): Victim[] {
    return this.#world.capps.map((name) => ({
      namespace: NAMESPACE,
      name,
      uid: this.#world.read(name)?.metadata.uid ?? 'gone',
    }));
  }

  async #forbidden(call: Call): Promise<void> {
    const method = this.#dice.pick(FORBIDDEN);
    const id = cappWorkflowId(NAMESPACE, this.#dice.pick(this.#world.capps));
    this.#must(await call(method, Buffer.from(id)), method);
  }

  async #otherQueues(call: Call): Promise<void> {
    const name = this.#dice.pick(['hub', ...SITES.filter((site) => site !== this.site).map(agentQueue)]);
    const bytes = api.PollActivityTaskQueueRequest.encode({ taskQueue: { name } }).finish();
    this.#must(await call('PollActivityTaskQueue', bytes), 'it polls the queue of others');
  }

  /** Beside the gateway, OCM lets a site write on works of its own namespace. */
  async #writes(): Promise<void> {
    const works = worksOn(this.#world, this.site);
    if (works.length === 0) return;
    const work = this.#dice.pick(works);
    const name = this.#dice.pick(this.#world.capps);
    const key = { namespace: this.site, name: work.metadata.name ?? '' };
    this.#world.tally.note('a lie: it marks a work of its namespace as that of another Capp');
    this.#world.server.put<ManifestWork & { metadata: { name: string } }>(MANIFEST_WORK, key, (before) =>
      before === null
        ? null
        : {
            ...before,
            metadata: {
              ...before.metadata,
              labels: { ...before.metadata.labels, [CAPP_KEY]: 'forged' },
              annotations: {
                ...before.metadata.annotations,
                [CAPP_NAMESPACE]: NAMESPACE,
                [CAPP_NAME]: name,
                [HAS_PLACEMENT]: this.site,
              },
            },
          },
    );
  }

  #counts(deed: string, said: Said): void {
    const end = 'bytes' in said ? 'is let through' : `is refused with ${status[said.refusal.code]}`;
    this.#world.tally.note(`a lie: ${deed}, which ${end}`);
  }

  /** The gateway must refuse it, if it does not fail for another reason. */
  #must(said: Said, what: string): void {
    this.#counts(what, said);
    if ('bytes' in said) fail(this.#world, 'gateway: it lets a call through that no site may make', what);
    else if (!isDenied(said)) this.#world.tell(`${what}: ${said.refusal.message}`);
  }
}
