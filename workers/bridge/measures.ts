// What the bridge measures: itself, the Capps that it sees, and how long agents have been silent.
import type { Ringer } from '../../bridge/ringer.ts';
import type { Silence } from '../../bridge/sites/silence.ts';
import type { BridgeWatched } from '../../bridge/changes/watched.ts';
import type { Meter } from '../metrics/meter.ts';
import { measureCaches, measureProcess, measureQueue } from '../metrics/process.ts';
import { measureSpread } from './spread-measures.ts';

interface Parts {
  readonly watched: BridgeWatched;
  readonly queue: Ringer['queue'];
}

export function measureBridge(meter: Meter, { watched, queue }: Parts): void {
  measureProcess(meter, 'bridge');
  meter.open('cappstan_ring_failures_total');
  measureCaches(meter, 'bridge', watched);
  measureQueue(meter, 'rings', queue);
  measureSpread(meter, watched);
  meter.gauge('cappstan_capps', () => {
    const counts: Record<string, number> = { True: 0, False: 0, Unknown: 0 };
    for (const { status } of watched.capps.list()) {
      const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status ?? 'Unknown';
      counts[ready] = (counts[ready] ?? 0) + 1;
    }
    return Object.entries(counts).map(([ready, value]) => ({ labels: { ready }, value }));
  });
}

export function measureAgents(meter: Meter, silence: Pick<Silence, 'agents'>): void {
  meter.gauge('cappstan_agents', () => {
    const { answering, silent } = silence.agents();
    return [
      { labels: { state: 'answering' }, value: answering },
      { labels: { state: 'silent' }, value: silent },
    ];
  });
  meter.gauge('cappstan_agent_silence_seconds', () => [
    { labels: {}, value: silence.agents().longestMs / 1000 },
  ]);
}
