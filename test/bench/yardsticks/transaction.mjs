/** Runs work on a connection of a pool, in a transaction. */
export const transactionOn = connect => async work => {
  const on = await connect()
  try {
    await on.query('begin')
    const answer = await work(on)
    await on.query('commit')
    return answer
  } catch (error) {
    await on.query('rollback')
    throw error
  } finally {
    on.release()
  }
}
