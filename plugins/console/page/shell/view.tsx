import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
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
  const name = meta.value?.app.name
  useEffect(() => {
    document.title = name === undefined ? title : `${title} · ${name}`
  }, [title, name])
  useEffect(() => {
    // The page has just been loaded where nothing has the focus: then it begins at its start, as pages do.
    if (isLater) heading.current?.focus()
    isLater = true
  }, [])
  return (
    <>
      <div class="view-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {beside}
      </div>
      {children}
    </>
  )
}

let isLater = false
