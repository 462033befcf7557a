/** A column that a statement reads; `type` is its type in the words of its driver. */
export interface NamedColumn {
  readonly name: string
  readonly type: number | string | null
  /** The length that its type is declared with, where the driver tells. */
  readonly length?: number
}

/** The values of a statement whose caller does not know its columns: the driver's names of them are put here. */
export class NamingValues extends Array<unknown> {
  columns: readonly NamedColumn[] = []

  static override from(values: readonly unknown[]): NamingValues {
    const naming = new NamingValues()
    naming.push(...values)
    return naming
  }
}
