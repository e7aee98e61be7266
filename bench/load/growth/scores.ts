// The Schedules that score the clusters, so that their cost can be told from that of Capps.
import { clusterOfScheduleId } from '../../../workflows/names.ts';
import type { Testbed } from '../testbed.ts';

const REASON = 'A benchmark measures without scores.';

/** No cluster is scored until the returned function is called; the end of the benchmark calls it, too. */
export async function pauseScores({ stack, afterwards }: Testbed): Promise<() => Promise<void>> {
  const { schedule } = stack.temporal;
  const ids: string[] = [];
  for await (const { scheduleId } of schedule.list())
    if (clusterOfScheduleId('score', scheduleId) !== null) ids.push(scheduleId);
  let paused = true;
  const resume = async (): Promise<void> => {
    if (!paused) return;
    paused = false;
    for (const id of ids) await schedule.getHandle(id).unpause();
  };
  afterwards(resume);
  for (const id of ids) await schedule.getHandle(id).pause(REASON);
  return resume;
}
