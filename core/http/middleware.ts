import type { Context, Middleware } from 'koa'

/** Runs middleware, each around the next, and the last around what follows. */
export function around(middleware: readonly Middleware[], ctx: Context, last: () => Promise<void>): Promise<void> {
  const from = async (index: number): Promise<void> => {
    const next = middleware[index]
    await (next ? next(ctx, () => from(index + 1)) : last())
  }
  return from(0)
}
