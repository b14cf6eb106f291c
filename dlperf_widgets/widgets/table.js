// A table that sorts and filters in the page. Cells are made once for a set of rows; then only texts that
// differ are written, so that a drag elsewhere costs little and nothing under the pointer is replaced.

function node(tag, className, parent) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  parent?.append(made);
  return made;
}

function write(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

function compare(one, other) {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one).localeCompare(String(other), undefined, { numeric: true });
}

// Cells without a value stay last in either order.
function ordered(rows, columns, sort) {
  const at = columns.findIndex(({ key }) => key === sort.replace("-", ""));
  if (at < 0) return rows;
  const sign = sort.startsWith("-") ? -1 : 1;
  const empty = (row) => row.values[at] === "" || row.values[at] === null;
  return [...rows].sort((one, other) => {
    if (empty(one) || empty(other)) return empty(one) - empty(other);
    return sign * compare(one.values[at], other.values[at]);
  });
}

function holds(row, text) {
  const wanted = text.trim().toLowerCase();
  return !wanted || row.texts.some((each) => each.toLowerCase().includes(wanted));
}

// A click sorts numbers by the largest and words by the first, a second one the other way, a third not at all.
function next(sort, { key, numeric }) {
  const order = numeric ? [`-${key}`, key, ""] : [key, `-${key}`, ""];
  return order[(order.indexOf(sort) + 1) % order.length];
}

function cell(column, first, row, act) {
  const made = node(first ? "th" : "td", column.numeric ? "dlp-number" : "");
  if (first) made.scope = "row";
  const bar = node("div", "dlp-cell-bar");
  let place;
  if (column.edited) {
    place = node("input", "", made);
    place.type = "text";
    place.ariaLabel = `${column.label}, ${row.texts[0]}`;
    place.addEventListener("change", () => act.typed(row.key, column.key, place.value));
    place.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") act.typed(row.key, column.key, place.value);
    });
  } else {
    place = node(first ? "button" : "span", first ? "dlp-row-name" : "", made);
    if (first) place.type = "button";
  }
  made.append(bar);
  return { made, place, bar };
}

function fill(each, column, text, bar) {
  if (column.edited) {
    if (document.activeElement !== each.place && each.place.value !== text) each.place.value = text;
    each.sent = text;
  } else write(each.place, text);
  const drawn = JSON.stringify(bar);
  if (each.drawn === drawn) return;
  each.drawn = drawn;
  each.bar.replaceChildren(
    ...bar.map(([role, share]) => {
      const part = node("i");
      part.style.cssText = `width:${100 * share}%`;
      part.className = `dlp-part-${role}`;
      return part;
    }),
  );
}

export default {
  initialize: listening,
  render({ model, el }) {
    el.classList.add("dlp-data");
    const bar = node("div", "dlp-data-bar", el);
    const label = node("label", "", bar);
    const search = node("input", "", label);
    label.prepend(`${model.get("words").filter} `);
    search.type = "search";
    const count = node("span", "dlp-data-count", bar);
    count.setAttribute("role", "status");
    const frame = node("div", "dlp-data-frame", el);
    const table = node("table", "dlp-data-table", frame);
    const caption = node("caption", "", table);
    const head = node("tr", "", node("thead", "", table));
    const body = node("tbody", "", table);
    let data = { columns: [], rows: [], caption: "" };
    let headings = [];
    let made = new Map();
    let shape = "";

    const act = {
      typed(key, column, text) {
        const row = data.rows.find((each) => each.key === key);
        const at = data.columns.findIndex((each) => each.key === column);
        const place = made.get(key)?.cells[at];
        if (!row || !place || place.asked === text || row.texts[at] === text) return;
        place.asked = text; // once: leaving the box after Enter must not send it again
        model.send({ typed: text, key, column });
      },
    };
    const choose = (name, value) => {
      model.set(name, value);
      model.save_changes();
    };
    const rebuild = (columns, rows) => {
      headings = columns.map((column) => {
        const heading = node("th", column.numeric ? "dlp-number" : "");
        heading.scope = "col";
        const button = node("button", "", heading);
        button.type = "button";
        button.textContent = column.label;
        button.title = model.get("words").sort.replace("{column}", column.label);
        button.addEventListener("click", () => choose("sort", next(model.get("sort"), column)));
        return heading;
      });
      head.replaceChildren(...headings);
      made = new Map(
        rows.map((row) => {
          const line = node("tr");
          const cells = columns.map((column, at) => cell(column, at === 0, row, act));
          line.append(...cells.map((each) => each.made));
          line.addEventListener("click", (event) => {
            if (!event.target.closest("input")) model.send({ opened: row.key });
          });
          return [row.key, { line, cells }];
        }),
      );
    };
    const arrange = () => {
      const { columns, rows } = data;
      const sort = model.get("sort");
      columns.forEach(({ key }, at) => {
        const state = { [key]: "ascending", [`-${key}`]: "descending" }[sort] ?? "none";
        headings[at].setAttribute("aria-sort", state);
      });
      const shown = ordered(rows, columns, sort).filter((row) => holds(row, model.get("filter")));
      const lines = shown.map((row) => made.get(row.key).line);
      const same = lines.length === body.children.length && lines.every((line, at) => line === body.children[at]);
      if (!same) {
        const focused = body.contains(document.activeElement) ? document.activeElement : null;
        body.replaceChildren(...lines);
        if (focused?.isConnected) focused.focus({ preventScroll: true });
      }
      const names = [...body.querySelectorAll(".dlp-row-name")];
      const current = names.findIndex((each) => each === document.activeElement);
      names.forEach((each, at) => (each.tabIndex = at === Math.max(current, 0) ? 0 : -1));
      const text = model.get("words").count.replace("{shown}", shown.length).replace("{all}", rows.length);
      write(count, text);
    };
    const show = () => {
      data = { columns: [], rows: [], caption: "", ...JSON.parse(model.get("data")) };
      const { columns, rows } = data;
      const now = JSON.stringify([columns, rows.map(({ key }) => key)]);
      if (now !== shape) rebuild(columns, rows);
      shape = now;
      write(caption, data.caption);
      for (const row of rows) {
        const { line, cells } = made.get(row.key);
        if (line.title !== row.note) line.title = row.note;
        cells.forEach((each, at) => fill(each, columns[at], row.texts[at], row.bars[at]));
      }
      if (search.value !== model.get("filter")) search.value = model.get("filter");
      arrange();
      mark();
    };
    const mark = () => {
      for (const [key, { line }] of made) {
        line.classList.toggle("dlp-chosen", key === model.get("chosen"));
        if (key === model.get("chosen")) line.setAttribute("aria-current", "true");
        else line.removeAttribute("aria-current");
      }
    };
    search.addEventListener("input", () => choose("filter", search.value));
    search.addEventListener("keydown", (event) => event.stopPropagation());
    body.addEventListener("keydown", (event) => {
      const names = [...body.querySelectorAll(".dlp-row-name")];
      const at = names.indexOf(document.activeElement);
      const places = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: names.length - 1 };
      if (at < 0) return;
      if (event.key in places) {
        const to = names[Math.min(Math.max(places[event.key], 0), names.length - 1)];
        names.forEach((each) => (each.tabIndex = each === to ? 0 : -1));
        to.focus();
        event.preventDefault();
      } else if (event.key !== "Enter" && event.key !== " ") return;
      event.stopPropagation(); // a notebook would take the key for itself
    });
    const answered = ({ refused, key, column }) => {
      const at = data.columns.findIndex((each) => each.key === column);
      const each = made.get(key)?.cells[at];
      if (!each) return;
      each.asked = refused ? each.asked : null;
      each.place.toggleAttribute("aria-invalid", false);
      if (refused) each.place.setAttribute("aria-invalid", "true");
      else if (each.sent !== undefined) each.place.value = each.sent;
    };
    const orders = "change:sort change:filter";
    const reorder = () => {
      if (search.value !== model.get("filter")) search.value = model.get("filter");
      arrange();
    };
    model.on("change:data", show);
    model.on(orders, reorder);
    model.on("change:chosen", mark);
    model.on("msg:custom", answered);
    show();
    return () => {
      model.off("change:data", show);
      model.off(orders, reorder);
      model.off("change:chosen", mark);
      model.off("msg:custom", answered);
    };
  },
};
