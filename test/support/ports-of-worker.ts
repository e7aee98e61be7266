// Gives each worker ports of its own, as its programs inherit: a hub that a test has stopped for a moment
// finds its ports free, whatever tests of other workers start meanwhile. A run of Jest beside another one
// counts its workers from FIRST_WORKER on. What is above the last worker's is for the stacks that `make test`
// starts beside them (PORT_RANGE in the Makefile).
const WORKERS = 7;
const [FIRST, EACH] = [20_000, 1_500];

const before = Number(process.env['FIRST_WORKER'] ?? '1') - 1;
const worker = before + Number(process.env['JEST_WORKER_ID'] ?? '1') - 1;
const lowest = FIRST + (worker % WORKERS) * EACH;
process.env['PORT_RANGE'] = `${lowest}-${lowest + EACH}`;
