/** Keys that move in a text or change it. */
export const keys = [
  ...['Enter', 'Backspace', 'Backspace', 'Delete', 'ArrowLeft', 'ArrowRight', 'Home', 'End'],
  ...['Shift+ArrowLeft', 'Shift+ArrowRight'],
]

/** Lines of text under a caret: each key does what people expect of it. */
export class TypedLines {
  #text = ''
  #anchor = 0
  #focus = 0

  get lines(): readonly string[] {
    return this.#text.split('\n')
  }

  press(key: string): void {
    const [from, to] = [Math.min(this.#anchor, this.#focus), Math.max(this.#anchor, this.#focus)]
    const isRange = from < to
    if (key === 'Enter') this.#put('\n')
    else if (key === 'Backspace') this.#remove(isRange ? from : from - 1, to)
    else if (key === 'Delete') this.#remove(from, isRange ? to : to + 1)
    else if (key === 'ArrowLeft') this.#go(isRange ? from : from - 1)
    else if (key === 'ArrowRight') this.#go(isRange ? to : to + 1)
    else if (key === 'Home') this.#go(this.#text.lastIndexOf('\n', this.#focus - 1) + 1)
    else if (key === 'End') this.#go(this.#lineEnd)
    else if (key === 'Shift+ArrowLeft') this.#focus = Math.max(0, this.#focus - 1)
    else if (key === 'Shift+ArrowRight') this.#focus = Math.min(this.#text.length, this.#focus + 1)
    else this.#put(key)
  }

  get #lineEnd(): number {
    const end = this.#text.indexOf('\n', this.#focus)
    return end < 0 ? this.#text.length : end
  }

  #go(place: number): void {
    this.#anchor = Math.max(0, Math.min(place, this.#text.length))
    this.#focus = this.#anchor
  }

  #remove(from: number, to: number): void {
    this.#text = this.#text.slice(0, Math.max(0, from)) + this.#text.slice(to)
    this.#go(from)
  }

  #put(text: string): void {
    const [from, to] = [Math.min(this.#anchor, this.#focus), Math.max(this.#anchor, this.#focus)]
    this.#text = this.#text.slice(0, from) + text + this.#text.slice(to)
    this.#go(from + text.length)
  }
}
