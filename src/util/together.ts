/**
 * Runs two things side by side and waits until both have ended, also when one fails: nothing goes on behind the back of
 * the caller, who may hold a lock. The first one's failure is thrown before the second one's.
 */
export async function together<First, Second>(
  first: Promise<First>,
  second: Promise<Second>,
): Promise<readonly [First, Second]> {
  const [one, other] = await Promise.allSettled([first, second]);
  if (one.status === 'rejected') throw one.reason;
  if (other.status === 'rejected') throw other.reason;
  return [one.value, other.value];
}
