// docs/rollouts.md shows whole rollouts line by line: the planner tells them so, and so do the hub worker's
// turns on simulated sites. RECORD=1 writes the page.
import { readFileSync, writeFileSync } from 'node:fs';
import { jest } from '@jest/globals';
import { byPlanner } from '../../support/rollouts/by-planner.ts';
import { byTurns } from '../../support/rollouts/by-turns.ts';
import { STORIES, type Story } from '../../support/rollouts/stories.ts';
import { transcriptOf } from '../../support/rollouts/transcript.ts';

const PAGE = new URL('../../../docs/rollouts.md', import.meta.url);

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

async function sectionFor(story: Story): Promise<string> {
  const lines = await transcriptOf(story, byPlanner(story, 'set-uid'));
  return `## ${story.title}\n\n${story.about}\n\n\`\`\`\n${lines.join('\n')}\n\`\`\`\n`;
}

test.each(STORIES)('the turns of a set tell the story "$title" as the planner does', async (story) => {
  const told = await transcriptOf(story, await byTurns(story));
  const planned = await transcriptOf(story, byPlanner(story, 'set-uid'));
  expect(told).toEqual(planned);
});

test('the page shows each story as it goes', async () => {
  const sections: string[] = [];
  for (const story of STORIES) sections.push(await sectionFor(story));
  const page = readFileSync(PAGE, 'utf8');
  const head = page.slice(0, page.indexOf('## '));
  const wanted = `${head}${sections.join('\n')}`;
  if (process.env['RECORD'] !== undefined) writeFileSync(PAGE, wanted);
  expect(readFileSync(PAGE, 'utf8')).toBe(wanted);
});
