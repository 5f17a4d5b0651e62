// SPDX-License-Identifier: BSD-3-Clause
// Tells each cell of a table the heading of its column, which narrow screens show (tables.css).
addEventListener("DOMContentLoaded", () => {
  for (const table of document.querySelectorAll("table.docutils")) {
    const names = [...table.querySelectorAll("thead th")].map((cell) => cell.textContent.trim());
    for (const row of table.querySelectorAll("tbody tr"))
      [...row.cells].forEach((cell, place) => cell.setAttribute("data-name", names[place] ?? ""));
  }
});
