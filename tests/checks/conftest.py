"""What the tests of checks stand on: a folder with a file of each kind."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
import xlsxwriter

from tests.lab import Lab

ORDERS = """id,day,region,customer,amount,paid,note
1,2026-01-01,north,Ann,120.5,true,gift
2,2026-01-02,south,Bob,,false,
3,2026-01-03,north,Ann,80.25,true,a gift
4,2026-02-01,east,Cid,15,false,late
"""


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    lab = Lab(tmp_path)
    lab.write("orders.csv", ORDERS)
    lab.write("customers.csv", "name,country,id\nAnn,NO,1\nBob,SE,2\nCid,DK,3\n")
    lab.write("semicolon.csv", "code;price;day\n01;1,5;31.01.2026\n02;2,5;01.02.2026\n03;-;02.02.2026\n")
    lab.write("odd.csv", "unit price,select\n1.5,x\n2.5,y\n")
    lab.write("taken.csv", "a\n1\n")
    lab.write("more.jsonl", '{"id": 9, "day": "2026-03-01", "region": "west", "amount": 1.5}\n')
    (tmp_path / "parts").mkdir()
    lab.write("parts/one.csv", "a,b\n1,2\n")
    lab.write("parts/two.csv", "a,b\n3,4\n")
    duckdb.sql("SELECT 'north' AS region, DATE '2026-01-01' AS day, 1.5::DOUBLE AS price").write_parquet(
        str(tmp_path / "prices.parquet")
    )
    with xlsxwriter.Workbook(tmp_path / "sheet.xlsx") as book:
        sheet = book.add_worksheet("Costs")
        sheet.write_row(0, 0, ["item", "cost"])
        sheet.write_row(1, 0, ["pen", 1.5])
        sheet.write_row(2, 0, ["ink", 3])
    return lab
