"""Says at the end how many inputs were tried."""

from hostile import LONG, tried


def pytest_terminal_summary(terminalreporter):
    if total := sum(tried.values()):
        name = "long" if LONG else "short"
        terminalreporter.write_line(f"{total:,} hostile or extreme inputs tried ({name} profile)")
