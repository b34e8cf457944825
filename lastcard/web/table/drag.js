// Dragging a card from the hand to the middle, by finger or mouse.

const FAR = 8; // pixels before a press becomes a drag

/**
 * @param {PointerEvent} event
 * @param {(place: string | null) => void} drop called with where it was dropped: a place, "middle", or null for elsewhere
 */
export function drag(event, drop) {
  const card = event.currentTarget;
  if (!(card instanceof HTMLElement) || event.button !== 0) return;
  const from = { x: event.clientX, y: event.clientY };
  let moving = false;
  /** @param {PointerEvent} now */
  const move = (now) => {
    const dx = now.clientX - from.x, dy = now.clientY - from.y;
    if (!moving && Math.hypot(dx, dy) < FAR) return;
    moving = true;
    card.classList.add('dragged');
    card.style.setProperty('translate', `${dx}px ${dy}px`);
    mark(under(now));
  };
  /** @param {PointerEvent} now */
  const end = (now) => {
    window.removeEventListener('pointermove', move);
    window.removeEventListener('pointerup', end);
    window.removeEventListener('pointercancel', end);
    if (!moving) return;
    const place = now.type === 'pointerup' ? under(now) : null;
    card.classList.remove('dragged');
    card.style.removeProperty('translate');
    mark(null);
    // The click that follows is part of the drag.
    const swallow = (/** @type {Event} */ click) => click.stopPropagation();
    window.addEventListener('click', swallow, { capture: true, once: true });
    setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), 50);
    drop(place);
  };
  window.addEventListener('pointermove', move);
  window.addEventListener('pointerup', end);
  window.addEventListener('pointercancel', end);
}

/** @param {PointerEvent} event @returns {string | null} */
function under(event) {
  const found = document.elementFromPoint(event.clientX, event.clientY);
  if (!found?.closest('.middle')) return null;
  return found.closest('[data-place]')?.getAttribute('data-place') ?? 'middle';
}

/** @param {string | null} place */
function mark(place) {
  document.querySelector('.middle')?.classList.toggle('over-here', place !== null);
}
