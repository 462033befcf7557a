import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { isFocusLeft, visit } from './address.js'
import { useFocusKept } from './focus.js'
import { meta } from './session.js'

/** A view with its heading, which has the focus when the view has changed. */
export function View({
  title,
  children,
  beside,
}: {
  title: string
  children: ComponentChildren
  beside?: ComponentChildren
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const name = meta.value?.app.name
  useFocusKept(head, heading)
  useEffect(() => {
    document.title = name === undefined ? title : `${title} · ${name}`
  }, [title, name])
  useEffect(() => {
    // The page has just been loaded where nothing has the focus: then it begins at its start, as pages do.
    if ((hasShown || visit.peek() > 0) && isFocusLeft()) heading.current?.focus()
    hasShown = true
  }, [])
  return (
    <>
      <div class="view-head" ref={head}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {beside}
      </div>
      {children}
    </>
  )
}

/** A view has been shown. Links may be followed before that, while its script is loaded. */
let hasShown = false
