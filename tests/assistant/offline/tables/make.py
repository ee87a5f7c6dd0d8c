"""Makes the invented tables of the planner's tests again: `python tests/assistant/offline/tables/make.py`."""

from __future__ import annotations

import csv
import random
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def write(name: str, header: list[str], rows: list[list[Any]], *, delimiter: str = ",") -> None:
    """Write one table."""
    with (HERE / name).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(["" if value is None else value for value in row] for row in rows)


def orders(chance: random.Random, *, first: int, start: date, days: int, count: int) -> list[list[Any]]:
    """Return orders of some days."""
    goods = {
        "Desk lamp": ("Lighting", 39.9),
        "Office chair": ("Furniture", 189.0),
        "Bookshelf": ("Furniture", 120.5),
        "Notebook": ("Stationery", 3.2),
        "Ballpoint pen": ("Stationery", 1.5),
        "Floor lamp": ("Lighting", 89.0),
    }
    people = ["Ada Novak", "Ben Okafor", "Chloe Martin", "Dinesh Rao", "Elif Kaya", "Farah Haddad"]
    cities = {
        "Ada Novak": "Lisbon",
        "Ben Okafor": "Berlin",
        "Chloe Martin": "Lyon",
        "Dinesh Rao": "Berlin",
        "Elif Kaya": "Lisbon",
        "Farah Haddad": "Oslo",
    }
    rows = []
    for number in range(count):
        product = chance.choice(list(goods))
        person = chance.choice(people)
        ordered = start + timedelta(days=chance.randrange(days))
        shipped = ordered + timedelta(days=chance.randrange(1, 9)) if chance.random() < 0.8 else None
        status = "cancelled" if shipped is None and chance.random() < 0.5 else "paid" if shipped else "open"
        discount = round(chance.choice([0.05, 0.1, 0.15]), 2) if chance.random() < 0.4 else None
        rows.append(
            [
                first + number,
                person,
                cities[person],
                ordered,
                shipped,
                status,
                product,
                goods[product][0],
                chance.randrange(1, 9),
                goods[product][1],
                discount,
            ]
        )
    return rows


def make_employees(chance: random.Random) -> None:
    """Write people and the departments that they work in."""
    offices, titles = ["Porto", "Vienna", "Ghent"], ["Analyst", "Engineer", "Clerk", "Lead"]
    places = ["Sales", "Research", "Finance", "Support", "Legal"]
    firsts = "Mara Joao Ivo Lena Tariq Sofia Piet Nora Hugo Aisha"
    lasts = "Silva Meyer Peeters Huber Costa Weber"
    names = chance.sample([f"{a} {b}" for a in firsts.split() for b in lasts.split()], 48)
    head = "name department job_title salary hired_on birth_date office manager remote"
    rows = [
        [
            name,
            chance.choice(places),
            chance.choice(titles),
            chance.randrange(28, 96) * 1000 + chance.randrange(4) * 250,
            date(2008, 1, 1) + timedelta(days=chance.randrange(6000)),
            date(1960, 1, 1) + timedelta(days=chance.randrange(14600)),
            chance.choice(offices),
            chance.choice(names) if chance.random() < 0.85 else None,
            chance.choice(["true", "false"]),
        ]
        for name in names
    ]
    write("employees.csv", head.split(), rows)
    floors = [
        ["Sales", "C100", 1, 12],
        ["Research", "C200", 3, 15],
        ["Finance", "C300", 2, 8],
        ["Support", "C400", 1, 20],
    ]
    write("departments.csv", ["department", "cost_center", "floor", "head_count_limit"], floors)


def make_readings(chance: random.Random) -> None:
    """Write what four sensors read."""
    begin = datetime(2024, 5, 1)
    sites = {"S-01": "Harbour", "S-02": "Harbour", "S-03": "Hilltop", "S-04": "Valley"}
    readings = []
    for hour in range(0, 24 * 12, 9):
        for sensor, site in sites.items():
            warm = (
                round(12 + 8 * chance.random() + (4 if site == "Valley" else 0), 1) if chance.random() < 0.93 else None
            )
            moment = begin + timedelta(hours=hour)
            readings.append([sensor, site, moment, warm, chance.randrange(30, 95), round(3 + chance.random(), 2)])
    write(
        "sensor_readings.csv", ["sensorId", "site", "readAt", "temperatureC", "humidityPct", "batteryVolts"], readings
    )


BOOKS = (
    ("The Salt Road", "I. Verhoeven", "Fiction", 312, 1998),
    ("Bees of the North", "K. Lindqvist", "Nature", 208, 2011),
    ("Plain Geometry", "R. Osei", "Science", 454, 1976),
    ("Night Ferry", "A. Duarte", "Fiction", 276, 2019),
    ("A Short Winter", "A. Duarte", "Fiction", 190, 2004),
    ("Rivers and Rain", "K. Lindqvist", "Nature", 330, 1987),
    ("The Clockmaker", "M. Ferri", "History", 398, 1991),
    ("Empires of Wool", "M. Ferri", "History", 521, 2015),
)


def make_library(chance: random.Random) -> None:
    """Write books and their loans."""
    write("books.csv", ["Title", "Author", "Genre", "Pages", "Year"], [list(book) for book in BOOKS], delimiter=";")
    members = ["Olga", "Pavel", "Quentin", "Rosa", "Stefan", "Tilda"]
    loans = []
    for _ in range(70):
        out = date(2024, 1, 3) + timedelta(days=chance.randrange(330))
        back = out + timedelta(days=chance.randrange(3, 45)) if chance.random() < 0.85 else None
        fine = round((back - out).days * 0.1, 2) if back is not None and (back - out).days > 28 else 0
        title = chance.choice(BOOKS[:7])[0]
        loans.append([chance.choice(members), title, out, out + timedelta(days=28), back, fine])
    write("library_loans.csv", ["Member", "Book Title", "Borrowed", "Due", "Returned", "Fine (EUR)"], loans)


def make_bookings(chance: random.Random) -> None:
    """Write stays in a hotel."""
    kinds = {"single": 70, "double": 95, "suite": 180}
    guests = ["Lopez", "Nakamura", "Brandt", "Olsen", "Petrov", "Quinn", "Rossi"]
    countries, channels = ["Spain", "Norway", "Japan", "Brazil"], ["website", "phone", "agency"]
    head = "bookingRef guestName roomType checkIn nights ratePerNight country channel breakfast reviewScore"
    bookings = []
    for number in range(90):
        kind = chance.choice(list(kinds))
        nights = chance.randrange(1, 10)
        check_in = date(2024, 1, 5) + timedelta(days=chance.randrange(700))
        rate = kinds[kind] + chance.randrange(0, 25)
        score = [None, 2.5, 3, 3.5, 4, 4.5, 5]
        guest, country, channel = chance.choice(guests), chance.choice(countries), chance.choice(channels)
        bookings.append(
            [
                f"B{number:04d}",
                guest,
                kind,
                check_in,
                nights,
                rate,
                country,
                channel,
                chance.choice(["yes", "no"]),
                chance.choice(score),
            ]
        )
    write("hotel_bookings.csv", head.split(), bookings)


def make_races(chance: random.Random) -> None:
    """Write how runners did in two races over four seasons."""
    clubs = {
        "Abel": "Red Foxes",
        "Bora": "Harriers",
        "Cato": "Harriers",
        "Dina": None,
        "Edda": "Red Foxes",
        "Finn": "Night Owls",
    }
    clubs |= {"Gala": None, "Hedy": "Night Owls", "Ines": "Harriers", "Jost": "Red Foxes"}
    head = ["Runner", "Club", "Event", "Distance (km)", "Season", "Finish Time (min)", "Weight (kg)"]
    races = [
        [runner, club, event, km, year, round(km * (4 + 2.5 * chance.random()), 1), chance.choice([55, 60, 65, 70])]
        for year in (2021, 2022, 2023, 2024)
        for runner, club in clubs.items()
        for event, km in (("Lake Run", 10), ("City Half", 21.1))
        if chance.random() < 0.75
    ]
    write("race_results.csv", head, races, delimiter="\t")


def make_inventory(chance: random.Random) -> None:
    """Write parts in three warehouses and who makes them."""
    names, places, makers = (
        ("hex bolt", "washer", "hinge", "gasket", "spring"),
        ("Dock A", "Dock B", "Annex"),
        ("Torvald", "Minex"),
    )
    kinds = [(name, place, maker) for name in names for place in places for maker in makers]
    parts = [
        [
            f"P-{n:03d}",
            name,
            place,
            chance.randrange(0, 400),
            chance.randrange(20, 120),
            round(chance.random() * 40, 2),
            maker,
        ]
        for n, (name, place, maker) in enumerate(kinds)
    ]
    write(
        "inventory.csv", ["part_no", "part_name", "warehouse", "stock", "reorder_level", "unit_cost", "supplier"], parts
    )
    write(
        "suppliers.csv", ["supplier", "country", "lead_time_days"], [["Torvald", "Sweden", 12], ["Ortega", "Spain", 5]]
    )


def make_exams(chance: random.Random) -> None:
    """Write the grades of eight students in three subjects."""
    rows = []
    for student in ["Ana", "Bo", "Cem", "Dua", "Eli", "Fay", "Gus", "Hal"]:
        for subject in ("Math", "Physics", "Art"):
            grade = chance.randrange(30, 100)
            day = date(2025, 6, 1) + timedelta(days=chance.randrange(30))
            shown = grade if chance.random() > 0.1 else None
            rows.append([student, chance.choice(["A", "B"]), subject, shown, day, "yes" if grade >= 50 else "no"])
    write("exams.csv", ["Student", "Class", "Subject", "Grade", "Exam Date", "Passed"], rows)


def make_plants(chance: random.Random) -> None:
    """Write plants with units in their columns' names."""
    names = ["Ficus", "Aloe", "Monstera", "Mint", "Lavender", "Basil", "Ivy", "Pine", "Fern", "Cactus"]
    rows = [
        [
            name,
            chance.randrange(10, 200),
            round(chance.random() * 4, 1),
            round(5 + chance.random() * 40, 2),
            indoor,
            origin,
        ]
        for name in names
        for indoor, origin in [(chance.choice(["true", "false"]), chance.choice(["Africa", "Europe", "Asia"]))]
    ]
    write("plants.csv", ["common_name", "height_cm", "water_per_week_l", "price_eur", "indoor", "origin"], rows)


def main() -> None:
    """Write all tables."""
    chance = random.Random(7)
    head = [
        "order_id",
        "customer",
        "city",
        "ordered_on",
        "shipped_on",
        "status",
        "product",
        "category",
        "quantity",
        "unit_price",
        "discount",
    ]
    write("orders.csv", head, orders(chance, first=1001, start=date(2023, 1, 1), days=700, count=120))
    write("orders_march.csv", head, orders(chance, first=3001, start=date(2025, 3, 1), days=31, count=25))
    write("orders_april.csv", head, orders(chance, first=4001, start=date(2025, 4, 1), days=30, count=30))
    for make in (
        make_employees,
        make_readings,
        make_library,
        make_bookings,
        make_races,
        make_inventory,
        make_exams,
        make_plants,
    ):
        make(chance)


if __name__ == "__main__":
    main()
