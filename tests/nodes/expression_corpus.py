"""Expressions that must be understood: one or more for every function that is allowed, and for every kind of operator.

Over the columns of `TABLE`. Written here as people write them; the tests compare what is understood with what DuckDB makes of it.
"""

from __future__ import annotations

TABLE = """
SELECT * FROM (VALUES
  (1, 10.5::DOUBLE, 'Ada Lovelace', DATE '2024-02-29', TIMESTAMP '2024-02-29 18:30:05.25', true, [3, 1, 2], {'x': 1, 'y': 'p'}, 2.50::DECIMAL(8, 2)),
  (2, -3.25, 'bob', DATE '2023-12-31', TIMESTAMP '2023-12-31 23:59:59', false, [5], {'x': 2, 'y': 'q'}, -1.25),
  (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (4, 0.0, '', DATE '2000-01-01', TIMESTAMP '2000-01-01 00:00:00', true, []::INTEGER[], {'x': NULL, 'y': 'r'}, 0),
  (5, 7.0, 'Çelik 42%', DATE '1999-07-04', TIMESTAMP '1999-07-04 04:05:06', false, [1, 1], {'x': 5, 'y': 'p'}, 99999.99)
) t(i, x, name, day, ts, flag, l, s, "Unit Price")
"""

ROW_BY_ROW = """
abs(x)
acos(x / 100)
asin(x / 100)
atan(x)
atan2(x, i)
cbrt(x)
ceil(x) + ceiling(x)
cos(x)
degrees(x)
even(x)
exp(x / 10)
factorial(i)
floor(x)
gcd(i, 4)
greatest(i, 3)
isfinite(x)
isinf(x)
isnan(x)
lcm(i, 4)
least(i, 3)
ln(abs(x) + 1)
log(abs(x) + 1)
log10(abs(x) + 1)
log2(abs(x) + 1)
mod(i, 3)
pi()
pow(i, 2) + power(i, 2)
radians(x)
round(x, 1)
round(x)
sign(x)
sin(x)
sqrt(abs(x))
tan(x)
trunc(x)
ascii(name)
char_length(name)
character_length(name)
chr(64 + i)
concat(name, i, x)
concat_ws('-', name, i)
contains(name, 'a')
ends_with(name, 'ace')
format('{} is {}', name, i)
instr(name, 'a')
lcase(name)
left(name, 3)
length(name)
levenshtein(name, 'bobby')
lower(name)
lpad(name, 6, '*')
ltrim(name)
md5(name)
position('a' in name)
prefix(name, 'A')
printf('%d', i)
regexp_extract(name, '([a-z]+)', 1)
regexp_extract_all(name, '[a-z]')
regexp_full_match(name, '[a-z]+')
regexp_matches(name, '[0-9]')
regexp_replace(name, '[aeiou]', '_', 'g')
regexp_replace(name, '[aeiou]', '_')
regexp_split_to_array(name, ' ')
repeat(name, 2)
replace(name, 'a', 'b')
reverse(name)
right(name, 3)
rpad(name, 6, '*')
rtrim(name, 'e')
split_part(name, ' ', 2)
starts_with(name, 'A')
str_split(name, ' ')
string_split(name, ' ')
string_to_array(name, ' ')
strip_accents(name)
strlen(name)
strpos(name, 'a')
substr(name, 2, 3)
substring(name, 2, 3)
substring(name from 2 for 3)
suffix(name, 'e')
translate(name, 'abc', 'xyz')
trim(name)
trim(both 'A' from name)
ucase(name)
unicode(name)
upper(name)
jaccard(name || 'x', 'bobby')
jaro_similarity(name, 'bobby')
jaro_winkler_similarity(name, 'bobby')
damerau_levenshtein(name, 'bobby')
editdist3(name, 'bobby')
hamming('abc', 'abd')
sha256(name)
age(ts, TIMESTAMP '2000-01-01 00:00:00')
century(day)
current_date > day
current_timestamp > TIMESTAMP '2020-01-01'
date(ts)
date_add(day, INTERVAL 1 MONTH)
date_diff('day', day, DATE '2024-03-01')
date_part('year', day)
date_sub('month', day, DATE '2024-03-01')
date_trunc('month', day)
date_trunc('hour', ts)
datediff('week', day, DATE '2024-03-01')
datepart('month', day)
datesub('year', day, DATE '2024-03-01')
datetrunc('year', day)
day(day)
dayname(day)
dayofmonth(day)
dayofweek(day)
dayofyear(day)
decade(day)
epoch(ts)
epoch_ms(ts)
era(day)
extract(year from day)
extract('month' from day)
hour(ts)
isodow(day)
isoyear(day)
last_day(day)
make_date(2024, i, 1)
make_time(i, 30, 0)
make_timestamp(2024, i, 1, 12, 30, 0)
microsecond(ts)
millennium(day)
millisecond(ts)
minute(ts)
month(day)
monthname(day)
now() > ts
quarter(day)
second(ts)
strftime(day, '%d.%m.%Y')
strptime('01.02.2024', '%d.%m.%Y')
try_strptime(name, '%d.%m.%Y')
time_bucket(INTERVAL 1 WEEK, day)
to_days(i)
to_hours(i)
to_minutes(i)
to_months(i)
to_seconds(i)
cast(to_timestamp(i) as varchar)
to_weeks(i)
to_years(i)
today() > day
week(day)
weekday(day)
weekofyear(day)
year(day)
yearweek(day)
coalesce(x, 0)
ifnull(name, 'nobody')
if(flag, 1, 2)
nullif(i, 3)
array_contains(l, 1)
array_length(l)
array_to_string(l, ',')
len(l)
list_avg(l)
list_concat(l, [9])
list_contains(l, 1)
list_count(l)
list_distinct(l)
list_extract(l, 1)
list_has_all(l, [1])
list_has_any(l, [1, 5])
list_max(l)
list_min(l)
list_position(l, 1)
list_reverse(l)
list_slice(l, 1, 2)
list_sort(l)
list_sum(l)
list_unique(l)
list_value(i, 2)
struct_extract(s, 'x')
typeof(x)
i + 1 - 2 * 3
i / 2
i // 2
i % 2
-i
- (i - 2)
i ** 2
i ^ 2
i & 3
i | 4
i << 2
i >> 1
name || '!'
i = 1
i == 1
i <> 1
i != 1
x > 1 and flag
x > 1 or not flag
not (x > 1 or flag)
x >= 1
x < 1
x <= 1
i between 2 and 4
i not between 2 and 4
name in ('bob', 'Ada Lovelace')
name not in ('bob')
name like 'A%'
name not like 'A%'
name ilike 'a%'
name like '42!%' escape '!'
name glob 'A*'
name similar to '[a-z]+'
x is null
x is not null
x isnull
x notnull
flag is true
flag is not false
x is distinct from 0
x is not distinct from 0
case when x > 1 then 'big' when x < 0 then 'below' else 'small' end
case i when 1 then 'one' when 2 then 'two' end
cast(i as varchar)
i::varchar
i::decimal(10, 2)
cast('2024-01-01' as date)
try_cast(name as integer)
name::text
date '2024-01-01'
timestamp '2024-01-01 10:00:00'
day + interval 1 day
day - interval '2 months'
day - 1
day - date '2020-01-01'
ts + to_hours(3)
l[1]
l[1:2]
[i, 2]
s.x
s.y || 'z'
"Unit Price" * 2
"name"
'it''s'
$$plain$$
1_000
1e3
0.5
true
null
(i)
i -- a remark
/* a remark */ i
day > '2024-01-01'
ts > '2024-01-01'
name collate nocase = 'BOB'
ts at time zone 'UTC' > to_timestamp(0)
""".strip().splitlines()

AGGREGATES = """
any_value(x)
approx_count_distinct(i)
approx_quantile(x, 0.5)
arg_max(name, x)
arg_max_null(name, x)
arg_min(name, x)
arg_min_null(name, x)
array_agg(name order by i)
avg(x)
bit_and(i)
bit_or(i)
bool_and(flag)
bool_or(flag)
corr(x, i)
count(*)
count(x)
count(distinct flag)
count_if(flag)
countif(flag)
covar_pop(x, i)
covar_samp(x, i)
entropy(i)
favg(x)
first(name order by i)
fsum(x)
geomean(i)
geometric_mean(i)
group_concat(name, ',' order by i)
kurtosis(i)
last(name order by i)
list(i order by i)
listagg(name, ',' order by i)
mad(i)
max(x)
max_by(name, x)
mean(x)
median(x)
min(x)
min_by(name, x)
mode(flag)
product(i)
quantile(x, 0.5)
quantile_cont(x, 0.25)
quantile_disc(x, 0.25)
regr_slope(x, i)
regr_intercept(x, i)
regr_r2(x, i)
sem(x)
skewness(i)
stddev(x)
stddev_pop(x)
stddev_samp(x)
string_agg(name, ',' order by i)
sum(x)
sumkahan(x)
var_pop(x)
var_samp(x)
variance(x)
sum(x) filter (where flag)
count(*) filter (where x > 1)
sum(x * i) / nullif(sum(i), 0)
max(day) - min(day)
sum(case when flag then 1 else 0 end)
""".strip().splitlines()

WINDOWS = """
cume_dist() over (order by i)
dense_rank() over (order by flag)
first_value(name) over (order by i)
lag(x) over (order by i)
lag(x, 2, 0) over (order by i)
last_value(name) over (order by i rows between unbounded preceding and unbounded following)
last_value(x ignore nulls) over (order by i)
lead(x) over (order by i)
nth_value(name, 2) over (order by i)
ntile(2) over (order by i)
percent_rank() over (order by i)
rank() over (order by flag)
rank_dense() over (order by flag)
row_number() over (order by i desc)
sum(x) over ()
sum(x) over (order by i)
x / sum(x) over ()
avg(x) over (partition by flag order by i rows between 1 preceding and current row)
sum(x) over (order by day range between interval 3 day preceding and current row)
count(*) over (partition by flag)
sum(x) filter (where flag) over (order by i)
""".strip().splitlines()

REFUSED = """
(select 1)
i in (select 1)
exists(select 1)
read_csv('/etc/passwd')
read_text('/etc/passwd')
read_blob('/etc/passwd')
"read_csv"('/etc/passwd')
glob('/etc/*')
getenv('HOME')
current_setting('threads')
current_user
session_user
name ~ 'x'
version()
pg_read_file('/etc/passwd')
sleep_ms(1000)
nextval('s')
write_log('x')
error('x')
random()
setseed(0.5)
uuid()
gen_random_uuid()
unnest(l)
generate_series(1, 10)
range(10)
list_transform(l, v -> v + 1)
list_filter(l, lambda v : v > 1)
[v for v in l]
list_aggregate(l, 'sum')
columns(*)
columns('i')
*
i, x
i as y
i; drop table t
select 1
drop table t
?
$1
$name
#1
i -> 1
{'a': 1}
map {'a': 1}
json_execute_serialized_sql('x')
json_serialize_sql('select 1')
main.abs(i)
system.main.abs(i)
pragma_version()
duckdb_settings()
query('select 1')
query_table('t')
getvariable('x')
i = any (select 1)
i = any([1, 2])
x qualify y
import_database('x')
install httpfs
attach 'x'
copy t to 'x'
set threads = 1
struct_pack(a := 1)
try(1 / 0)
cast_to_type(i, x)
parse_path('a/b')
txid_current()
query_table(['t'])
sniff_csv('x')
icu_sort_key('a', 'de')
""".strip().splitlines()
