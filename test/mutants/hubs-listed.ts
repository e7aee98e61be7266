// Faults in the list of a machine's hubs.
import type { Mutant } from './mutant.ts';

const SEEN = { seenBy: ['test/unit/deploy/hub/hubs/look.test.ts'] };

export const HUBS_LISTED: readonly Mutant[] = [
  {
    ...SEEN,
    breaks: 'a hub that lets nobody in is listed as one that runs',
    file: 'deploy/hub/hubs/state.ts',
    inside: 'stateOf',
    text: 'if (isShut)',
    becomes: 'if (isShut && processes.length > 9)',
  },
  {
    ...SEEN,
    breaks: 'a hub that is starting is listed as one that runs',
    file: 'deploy/hub/hubs/state.ts',
    inside: 'stateOf',
    text: '!processes.some(({ name }) => name === LAST)',
    becomes: 'processes.length === 0',
  },
  {
    ...SEEN,
    breaks: 'a hub whose files are torn hides all others',
    file: 'deploy/hub/hubs/look.ts',
    inside: 'lookAt',
    text: 'return { ...outside, problem: reasonOf(error) };',
    becomes: 'throw error;',
  },
  {
    ...SEEN,
    breaks: 'a hub does not start for a user without a home',
    file: 'deploy/hub/hubs/known.ts',
    inside: 'rememberStart',
    text: '  } catch {',
    becomes: '  } catch (error) {\n    throw error;',
  },
  {
    ...SEEN,
    breaks: 'hubs that were deleted are kept for ever',
    file: 'deploy/hub/hubs/known.ts',
    inside: 'rememberStart',
    text: 'if (isHub(known) === false) rmSync(file, { force: true });',
    becomes: 'if (isHub(known) === null) rmSync(file, { force: true });',
  },
];
