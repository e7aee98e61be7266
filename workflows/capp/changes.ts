// Changes of the order of commands, by the names that histories keep of them.

/**
 * A deletion is tried by a local activity first, and says nothing for ten seconds. Noted as soon as a ring
 * may mean a deletion, and not only when it is carried out: where a query is answered while a local activity
 * runs, Temporal begins another workflow task, and a replay hears of the activity in the task before. What
 * was noted after the activity would then be noted too early for its marker, and no replay would end.
 */
export const QUICK_DELETION = 'a deletion is quick and quiet';
